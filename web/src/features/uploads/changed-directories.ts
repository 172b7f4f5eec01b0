import type { QueryClient } from '@tanstack/react-query';
import { ask } from '../../api/ask.ts';
import type { User } from '../../api/contract.ts';
import { KEYS } from '../../api/keys.ts';
import { currentSession, updateUser } from '../../api/session.ts';

const FIRST_MS = 150;
const THEN_MS = 1_500;

/** Refetches the lists of changed directories, in batches instead of once per file. */
export class ChangedDirectories {
  readonly #queries: QueryClient;
  readonly #changed = new Set<string>();
  /** Parents for which this was done already, so those above know of them. */
  readonly #known = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #toldAt = 0;

  constructor(queries: QueryClient) {
    this.#queries = queries;
  }

  /** @param path of a new entry */
  note(path: string): void {
    for (let child = path; child !== '/'; ) {
      const directory = child.slice(0, child.lastIndexOf('/')) || '/';
      this.#changed.add(directory);
      if (this.#known.has(directory)) break;
      this.#known.add(directory);
      child = directory;
    }
    const wait = Math.max(FIRST_MS, this.#toldAt + THEN_MS - Date.now());
    this.#timer ??= setTimeout(() => this.#notify(), wait);
  }

  #notify(): void {
    this.#timer = undefined;
    this.#toldAt = Date.now();
    for (const path of this.#changed) void this.#queries.invalidateQueries({ queryKey: KEYS.entries(path) });
    this.#changed.clear();
    for (const queryKey of [KEYS.recent(), KEYS.search(), KEYS.profile()]) {
      void this.#queries.invalidateQueries({ queryKey });
    }
    void this.#learnUsage();
  }

  /** Refetches the used storage. */
  async #learnUsage(): Promise<void> {
    const user = await ask<User>('GET', '/api/user/profile').catch(() => undefined);
    if (user !== undefined && user.id === currentSession()?.user.id) updateUser(user);
  }
}
