import type { Answer } from '../app/person.ts';
import { Person } from '../app/person.ts';

/** The same person, with the same login, at each of several instances. */
export function atEveryInstance(person: Person, urls: readonly string[]): readonly Person[] {
  return urls.map((url) => {
    const there = new Person(person.username, url);
    there.login = person.login;
    return there;
  });
}

/**
 * Starts many calls at the same time, distributed over the instances. Resolves with the responses in order.
 */
export function race<T>(
  instances: readonly Person[],
  times: number,
  call: (person: Person, index: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(
    Array.from({ length: times }, (_, index) => call(instances[index % instances.length] as Person, index)),
  );
}

/** Counts the responses by status: `{ 200: 1, 409: 9 }`. */
export function countStatuses(answers: readonly Answer<unknown>[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
