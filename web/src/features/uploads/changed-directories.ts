import type { QueryClient } from '@tanstack/react-query';
import { ask } from '../../api/ask.ts';
import { type DriveId, driveKey } from '../../api/in-drive.ts';
import { KEYS } from '../../api/keys.ts';
import { currentSession, updateUser } from '../../api/session.ts';
import { Pace } from '../../common/timing/pace.ts';

const FIRST_MS = 150;
/** The longest interval. It may be long, because the events of running uploads also refresh the lists. */
const MAX_MS = 3_000;

/** Refetches the lists of changed directories, in batches instead of once per file. */
export class ChangedDirectories {
  readonly #queries: QueryClient;
  readonly #changed = new Set<string>();
  /** The directories whose parents are already marked as changed, as `drive:path`. */
  readonly #known = new Set<string>();
  readonly #pace = new Pace({ firstMs: FIRST_MS, lastMs: MAX_MS });
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(queries: QueryClient) {
    this.#queries = queries;
  }

  /** @param path of a new entry */
  note(path: string, drive: DriveId): void {
    for (let child = path; child !== '/'; ) {
      const directory = child.slice(0, child.lastIndexOf('/')) || '/';
      this.#changed.add(directory);
      const known = `${driveKey(drive)}:${directory}`;
      if (this.#known.has(known)) break;
      this.#known.add(known);
      child = directory;
    }
    this.#timer ??= setTimeout(() => this.#notify(), this.#pace.waitMs(performance.now()));
  }

  #notify(): void {
    this.#timer = undefined;
    this.#pace.handled(performance.now());
    for (const path of this.#changed) void this.#queries.invalidateQueries({ queryKey: KEYS.entries(path) });
    this.#changed.clear();
    for (const queryKey of [KEYS.recent(), KEYS.search(), KEYS.profile(), KEYS.drives()]) {
      void this.#queries.invalidateQueries({ queryKey });
    }
    void this.#refetchUsage();
  }

  /** Refetches the used storage. */
  async #refetchUsage(): Promise<void> {
    const user = await ask('GET /api/user/profile').catch(() => undefined);
    if (user !== undefined && user.id === currentSession()?.user.id) updateUser(user);
  }
}
