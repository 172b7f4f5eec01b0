import type { FileEventRecord } from '../../../src/events/contract.ts';
import type { Person } from '../app/person.ts';

export const CHANGES = '/api/v2/files/changes';

interface Changes {
  readonly items: readonly FileEventRecord[];
  readonly nextCursor: number;
  readonly hasMore: boolean;
}

export function readChanges(person: Person, query: Readonly<Record<string, number>> = {}): Promise<Changes> {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return person.ask('GET', `${CHANGES}?${parameters}`);
}

/** The id of the newest event of the person's drive. */
export async function newestOf(person: Person): Promise<number> {
  let page = await readChanges(person, { limit: 1_000 });
  while (page.hasMore) page = await readChanges(person, { limit: 1_000, cursor: page.nextCursor });
  return page.nextCursor;
}
