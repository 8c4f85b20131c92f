import type { ChatStep, StaleAnswer } from '../../src/chat/index.ts';
import { builder } from '../builder.ts';
import { rowQuery } from '../connection.ts';
import { optional } from '../optional.ts';
import { ChatMessage } from './message.ts';

const StepKind = builder.enumType('ChatStepKind', {
  description: 'Kind of a step of an answer.',
  values: {
    TEXT: { description: 'Text to append to the answer.' },
    TOOL: {
      description:
        'A new state of a call of a tool: the call as JSON, as the REST API has it in `toolCalls`, with at most 500 characters of its arguments and result.',
    },
    END: { description: 'The answer has ended: `message` is its final form, which replaces the text so far.' },
  } as const,
});

const Step = builder.objectRef<ChatStep>('ChatStep').implement({
  description: 'A step of an answer.',
  fields: (t) => ({
    messageUuid: t.expose('messageUuid', { type: 'UUID', description: 'UUID of the answer.' }),
    number: t.exposeInt('number', {
      description:
        'Number of the step in its answer, from 1 and without gaps. Pass the last one to `chatAnswer` as `after` to resume.',
    }),
    kind: t.expose('kind', { type: StepKind, description: 'Kind of the step.' }),
    text: t.exposeString('text', { description: 'The text of the step; empty at the end.' }),
    message: t.field({
      type: ChatMessage,
      nullable: true,
      description: 'The message at the end of the answer; null before.',
      resolve: ({ kind, messageUuid }, _args, context, info) => {
        if (kind !== 'END') return null;
        const query = rowQuery(context, info, 'ChatMessage');
        return context.services.chat.messages.find(context.caller, messageUuid, query);
      },
    }),
  }),
});

builder.subscriptionField('chatMessage', (t) =>
  t.field({
    type: Step,
    description:
      'The answers of a chat session as they are written. Begins with the stored part of the answer in progress. The steps of an answer can be received again for 15 minutes after its end; later only its END.',
    args: { sessionId: t.arg.string({ required: true, description: 'UUID of the session.' }) },
    extensions: { rateLimit: 'general' },
    subscribe: (_root, { sessionId }, { caller, services }) => services.chat.follow.inSession(caller, sessionId),
    resolve: (step) => step,
  }),
);

builder.subscriptionField('chatAnswer', (t) =>
  t.field({
    type: Step,
    description:
      'One answer as it is written, from its beginning; the subscription ends with it. After a lost connection, pass the number of the last step that you received as `after`.',
    args: {
      messageId: t.arg.string({ required: true, description: 'UUID of the answer.' }),
      after: t.arg.int({ description: 'Number of the last step that you received; 0 by default.' }),
    },
    extensions: { rateLimit: 'general' },
    subscribe: (_root, { messageId, after }, { caller, services }) =>
      services.chat.follow.answer(caller, messageId, after),
    resolve: (step) => step,
  }),
);

const StaleAnswerRef = builder.objectRef<StaleAnswer>('ChatAnswerStale').implement({
  description: 'A change of passages that an answer cites.',
  fields: (t) => ({
    messageUuid: t.expose('messageUuid', { type: 'UUID', description: 'UUID of the answer.' }),
    sessionUuid: t.expose('sessionUuid', { type: 'UUID', description: 'UUID of its session.' }),
    documentUuid: t.expose('documentUuid', { type: 'UUID', description: 'UUID of the document.' }),
    version: t.exposeInt(
      'version',
      optional('The version that changed the passage; null if the document was deleted.'),
    ),
    numbers: t.exposeIntList('numbers', { description: 'Numbers of the citations in the text of the answer.' }),
  }),
});

builder.subscriptionField('chatAnswerStale', (t) =>
  t.field({
    type: StaleAnswerRef,
    description: 'Your answers with a changed citation, from now on. `chatMessageRenew` writes a new answer.',
    extensions: { rateLimit: 'general' },
    subscribe: (_root, _args, { caller, services }) => services.chat.staleness.changed(caller),
    resolve: (stale) => stale,
  }),
);
