/** A user of the sample data. Their passwords are random and unknown. */
export interface SamplePerson {
  readonly name: PersonName;
  readonly bio: string;
  readonly links: Readonly<Record<string, string>>;
}

export type PersonName = 'ada' | 'bo' | 'chen' | 'dalia' | 'emeka' | 'farah';

export const people: readonly SamplePerson[] = [
  { name: 'ada', bio: 'Reference servers, and what is built on them.', links: { website: 'https://example.com/ada' } },
  { name: 'bo', bio: 'Browsers and everything that can be automated in them.', links: {} },
  { name: 'chen', bio: 'Search, documentation, papers.', links: { website: 'https://example.com/chen' } },
  { name: 'dalia', bio: 'Databases of every kind.', links: {} },
  { name: 'emeka', bio: 'Keeps clusters running, and looks at graphs while doing so.', links: {} },
  { name: 'farah', bio: 'Product work: notes, issues, design.', links: { website: 'https://example.com/farah' } },
];
