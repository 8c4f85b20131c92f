export { type EventPayloads, type EventType, eventCatalogue, eventTypes, jsonSchemaOfEvents } from './catalogue.ts';
export { eventExamples } from './examples.ts';
