import type { Answer } from '../app/person.ts';
import { Person } from '../app/person.ts';

/** The same person at each of several instances, by the same login. */
export function atEveryDoor(person: Person, urls: readonly string[]): readonly Person[] {
  return urls.map((url) => {
    const there = new Person(person.username, url);
    there.login = person.login;
    return there;
  });
}

/** Lets many calls start together, spread over the doors, and gives their answers in order. */
export function race<T>(
  doors: readonly Person[],
  times: number,
  act: (person: Person, index: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(
    Array.from({ length: times }, (_, index) => act(doors[index % doors.length] as Person, index)),
  );
}

/** How often each status came: `{ 200: 1, 409: 9 }`. */
export function countStatuses(answers: readonly Answer<unknown>[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
