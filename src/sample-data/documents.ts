import type { Story } from './story.ts';

/** Texts of a small library, which search and chat answer from. */
const library = [
  {
    daysAgo: 27.4,
    title: 'Employee handbook',
    tags: ['people'],
    content: `# Employee handbook

## Leave

Each employee has thirty days of leave in a year. Leave that is not taken by the end of March lapses. Requests are made at least two weeks ahead, and the team lead answers within three days.

## Working from home

Everyone may work from home on two days of the week. On days with visitors the whole team is in the office.

## Expenses

Receipts are handed in within thirty days. Trips by train are booked in second class; a flight needs the consent of the team lead.
`,
  },
  {
    daysAgo: 20.2,
    title: 'Incident report: webhook deliveries were late',
    tags: ['operations', 'incident'],
    content: `# Incident report: webhook deliveries were late

On a Tuesday in October deliveries of webhooks were up to forty minutes late. No event was lost.

## Cause

A receiver answered every request after five seconds, and the worker waited for it. The queue grew to 18 000 deliveries.

## Remedy

Receivers that are slow now have a queue of their own, so that they delay no other receiver. An alert fires when the oldest event is older than two minutes.
`,
  },
  {
    daysAgo: 12.6,
    title: 'Backup and recovery',
    tags: ['operations'],
    content: `# Backup and recovery

The database is saved every night at two o'clock, and its log is shipped every five minutes. Copies are kept for thirty-five days in another region.

A recovery is rehearsed on the first Monday of each quarter. The last rehearsal took fifty-two minutes from the decision to the first answered request.
`,
  },
] as const;

/** Documents of the owner, one of them by an AI model. They are read in the background after the start. */
export function addDocuments({ at }: Story): void {
  for (const { daysAgo, title, tags, content } of library)
    at(daysAgo, ({ services, as }) =>
      services.documents.uploads.createText(as('owner'), { title, tags: [...tags], content }),
    );
  at(5.3, ({ services, as }) =>
    services.documents.uploads.createAiText(as('owner', 'mcp'), {
      title: 'Summary of the October incident',
      content: `# Summary of the October incident

One slow receiver delayed the webhooks of all customers by up to forty minutes. Slow receivers have had their own queue since then, and an alert watches the age of the oldest event.
`,
      tags: ['incident', 'summary'],
      model: { provider: 'example', name: 'example-model' },
    }),
  );
}
