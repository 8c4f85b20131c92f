export {
  type EventPayloads,
  type EventType,
  eventCatalogue,
  eventTypes,
  isEventType,
  jsonSchemaOfEvents,
} from './catalogue.ts';
