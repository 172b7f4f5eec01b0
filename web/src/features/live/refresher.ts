import type { Query, QueryClient } from '@tanstack/react-query';
import { ask } from '../../api/ask.ts';
import type { DriveKey } from '../../api/in-drive.ts';
import { KEYS } from '../../api/keys.ts';
import { updateUser } from '../../api/session.ts';
import { isChanging } from '../../common/running-changes.ts';
import { Pace } from '../../common/timing/pace.ts';
import { isOfDrive, isStale, type StaleQueries } from './stale-queries.ts';

/** Changes within this time are handled together. */
const GATHER_MS = 250;
/** The longest gathering time while changes keep coming, for example during a large upload. */
const MAX_GATHER_MS = 2_000;
const USAGE_MS = 3_000;
/** Refetches wait for the user's own running change, but not longer than this. */
const MAX_POSTPONED_MS = 10_000;

const EVERYTHING = 'everything';

/** Refetches the queries that events of a drive have made stale, but no others, and not too often. */
export class Refresher {
  readonly #queryClient: QueryClient;
  readonly #drive: DriveKey;
  readonly #pace = new Pace({ firstMs: GATHER_MS, lastMs: MAX_GATHER_MS });
  #waiting: StaleQueries[] | typeof EVERYTHING = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the first waiting change arrived. */
  #since = 0;
  #usageTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(queryClient: QueryClient, drive: DriveKey) {
    this.#queryClient = queryClient;
    this.#drive = drive;
  }

  add(stale: StaleQueries | undefined): void {
    if (stale === undefined) this.#waiting = EVERYTHING;
    else if (this.#waiting !== EVERYTHING) this.#waiting.push(stale);
    if (this.#timer !== undefined) return;
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.#refresh(), this.#pace.waitMs(this.#since));
  }

  /** Whether all added queries have been handled. */
  get isIdle(): boolean {
    return this.#timer === undefined;
  }

  /** After missed events of the drive. */
  addEverything(): void {
    this.add(undefined);
  }

  /** Refetches the used storage of the drive, which may have changed. Limited to once per `USAGE_MS`. */
  refetchUsage({ immediately = false } = {}): void {
    this.#usageTimer ??= setTimeout(
      () => {
        this.#usageTimer = undefined;
        if (this.#drive === 'personal') {
          // Not critical: the next change tries again.
          ask('GET /api/user/profile').then(updateUser, () => undefined);
        } else void this.#queryClient.invalidateQueries({ queryKey: KEYS.drives(), exact: true });
      },
      immediately ? 0 : USAGE_MS,
    );
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#usageTimer);
  }

  #refresh(): void {
    if (isChanging() && performance.now() - this.#since < MAX_POSTPONED_MS) {
      this.#timer = setTimeout(() => this.#refresh(), GATHER_MS);
      return;
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#timer = undefined;
    this.#pace.handled(performance.now());
    void refresh(this.#queryClient, ({ queryKey }) =>
      waiting === EVERYTHING
        ? isOfDrive(queryKey, this.#drive)
        : waiting.some((stale) => isStale(queryKey, stale)),
    );
  }
}

/**
 * A first response that is still on its way may be older than the change. It is awaited, because the page
 * shows it first, and then requested again.
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
