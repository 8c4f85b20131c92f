import type { Database } from '../platform/database/database.ts';
import { storyDays } from './story.ts';

/** Whether a profile has its sample data. */
export type SampleDataState = 'there' | 'being made' | 'none';

export async function sampleDataStateOf(
  { prisma }: Pick<Database, 'prisma'>,
  profileUuid: string,
): Promise<SampleDataState> {
  const row = await prisma.sampleProfile.findUnique({ where: { profileUuid }, select: { daysDone: true } });
  if (row === null) return 'none';
  return row.daysDone < storyDays ? 'being made' : 'there';
}
