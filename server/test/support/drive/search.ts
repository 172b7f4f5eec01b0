import type { FoundRecord } from '../../../src/drive/search/contract.ts';
import type { Person } from '../app/person.ts';

interface SearchPage {
  readonly items: readonly FoundRecord[];
  readonly total: number;
  readonly page: number;
  readonly size: number;
}

export function find(
  person: Person,
  query: Readonly<Record<string, string | number | undefined>>,
): Promise<SearchPage> {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return person.ask('GET', `/api/v2/files/search?${parameters}`);
}

export async function pathsFound(
  person: Person,
  query: Readonly<Record<string, string | number | undefined>>,
): Promise<readonly string[]> {
  return (await find(person, { size: 1_000, ...query })).items.map((item) => item.path);
}
