import type { Query, QueryClient } from '@tanstack/react-query';
import { ask } from '../../api/ask.ts';
import type { User } from '../../api/contract.ts';
import { updateUser } from '../../api/session.ts';
import { isTouched, type Touched } from './touched.ts';

/** Changes that come together, as those of an upload of many files, are looked at together. */
const GATHER_MS = 250;
const USAGE_MS = 3_000;

const EVERYTHING = 'everything';

/** Has the page ask again for what events have changed, no more and not too often. */
export class Refresher {
  readonly #queryClient: QueryClient;
  #waiting: Touched[] | typeof EVERYTHING = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #usageTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(queryClient: QueryClient) {
    this.#queryClient = queryClient;
  }

  add(touched: Touched | undefined): void {
    if (touched === undefined) this.#waiting = EVERYTHING;
    else if (this.#waiting !== EVERYTHING) this.#waiting.push(touched);
    this.#timer ??= setTimeout(() => this.#refresh(), GATHER_MS);
  }

  addEverything(): void {
    this.add(undefined);
  }

  /** Asks who the person is now, with how much of the quota is taken: now and then. */
  lookAtUsage({ atOnce = false } = {}): void {
    this.#usageTimer ??= setTimeout(
      () => {
        this.#usageTimer = undefined;
        // Nothing depends on it: the next change asks again.
        ask<User>('GET', '/api/user/profile').then(updateUser, () => undefined);
      },
      atOnce ? 0 : USAGE_MS,
    );
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#usageTimer);
  }

  #refresh(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#timer = undefined;
    const isAsked = ({ queryKey }: Query) =>
      waiting === EVERYTHING || waiting.some((touched) => isTouched(queryKey, touched));
    void refresh(this.#queryClient, isAsked);
  }
}

/**
 * An answer that is on its way for the first time may have been given before the change: it is waited for, as it is what the
 * page shows first, and asked for once more.
 */
async function refresh(queryClient: QueryClient, predicate: (query: Query) => boolean): Promise<void> {
  const onTheWay = queryClient
    .getQueryCache()
    .findAll({ predicate, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined);
  await queryClient.invalidateQueries({ predicate });
  if (onTheWay.length > 0)
    await queryClient.invalidateQueries({ predicate: (query) => onTheWay.includes(query) });
}
