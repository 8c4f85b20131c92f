export { type EventPayloads, type EventType, eventTypes, jsonSchemaOfEvents } from './catalogue.ts';
export { eventExamples } from './examples.ts';
