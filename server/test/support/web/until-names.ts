import type { Person } from '../app/person.ts';
import { waitFor } from '../tasks/tasks.ts';

/** Waits until the directory of the user contains exactly these names, in this order. */
export async function untilNames(person: Person, path: string, expected: readonly string[]): Promise<void> {
  const isSame = (names: readonly string[]) => JSON.stringify(names) === JSON.stringify(expected);
  await waitFor(() => person.names(path), isSame, `the names ${expected} in ${path}`);
}
