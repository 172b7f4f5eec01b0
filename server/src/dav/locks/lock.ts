import type { Instant } from '../../base/clock.ts';
import type { LogicalPath } from '../../base/text/names/logical-path.ts';

/** A write lock (RFC 4918, section 6). Its root is an entry; a deep lock also covers everything below. */
export interface Lock {
  readonly id: number;
  /** A URI that no one can guess. */
  readonly token: string;
  readonly entryId: number;
  /** The account that created the lock. No other account can use it (section 6.4). */
  readonly accountId: number;
  readonly isExclusive: boolean;
  readonly isDeep: boolean;
  /** The `owner` element that the client sent, as XML; empty if there is none. */
  readonly owner: string;
  readonly expiresAt: Instant;
}

/** A lock and where its root is. */
export interface PlacedLock extends Lock {
  /** The ids of the entries from the root of the drive to the root of the lock, which is the last one. */
  readonly chain: readonly number[];
  readonly path: LogicalPath;
  readonly isDirectory: boolean;
}

/** An entry, or a free place for one, identified by the entries on its path. */
export interface LockTarget {
  /** The entries on the path, from the root of the drive, as far as the path exists. */
  readonly chain: readonly { readonly id: number }[];
  /** Whether the chain ends with the entry itself; otherwise there is nothing at the path. */
  readonly exists: boolean;
}

/** The locks of one drive that have not expired. */
export class LockView {
  /** The address of the drive's root, as the request names it. */
  readonly root: string;
  readonly #locks: readonly PlacedLock[];

  constructor(root: string, locks: readonly PlacedLock[]) {
    this.root = root;
    this.#locks = locks;
  }

  get isEmpty(): boolean {
    return this.#locks.length === 0;
  }

  /** The locks that cover a target: those of the entry itself, and the deep ones of its ancestors. */
  covering({ chain, exists }: LockTarget): readonly PlacedLock[] {
    const own = exists ? chain.at(-1)?.id : undefined;
    const ids = new Set(chain.map(({ id }) => id));
    return this.#locks.filter(({ entryId, isDeep }) => entryId === own || (isDeep && ids.has(entryId)));
  }

  /** The locks whose roots are the entry itself. */
  of(entryId: number): readonly PlacedLock[] {
    return this.#locks.filter((lock) => lock.entryId === entryId);
  }

  /** The locks whose roots are an entry, or below it. */
  within(entryId: number): readonly PlacedLock[] {
    return this.#locks.filter(({ chain }) => chain.includes(entryId));
  }

  /** The locks whose roots are below an entry. */
  below(entryId: number): readonly PlacedLock[] {
    return this.within(entryId).filter((lock) => lock.entryId !== entryId);
  }

  /**
   * The locks that keep a request with these tokens from changing the targets. A target is free if the
   * request has the token of any lock that covers it: a client only needs one of several shared locks
   * (section 7). The tokens must not include those of other accounts' locks.
   */
  blocking(targets: readonly LockTarget[], tokens: ReadonlySet<string>): readonly PlacedLock[] {
    return targets.flatMap((target) => {
      const covering = this.covering(target);
      return covering.some(({ token }) => tokens.has(token)) ? [] : covering;
    });
  }

  /** The locks of other accounts among those with these tokens. */
  ofOthers(tokens: ReadonlySet<string>, accountId: number): readonly PlacedLock[] {
    return this.#locks.filter((lock) => lock.accountId !== accountId && tokens.has(lock.token));
  }

  /** The tokens without those of other accounts' locks. */
  withoutOthers(tokens: ReadonlySet<string>, accountId: number): ReadonlySet<string> {
    const own = new Set(tokens);
    for (const { token } of this.ofOthers(tokens, accountId)) own.delete(token);
    return own;
  }

  /** The locked entries below an entry, which are affected when it is moved or removed. */
  targetsBelow(entryId: number): readonly LockTarget[] {
    return this.below(entryId).map(({ chain }) => ({ chain: chain.map((id) => ({ id })), exists: true }));
  }

  /**
   * The locks that a new lock would conflict with (section 6.1). An exclusive lock conflicts with every
   * other, a shared one only with exclusive ones. For a deep lock, locks below the target count as well.
   */
  conflicting(
    target: LockTarget,
    { isExclusive, isDeep }: Pick<Lock, 'isExclusive' | 'isDeep'>,
  ): readonly PlacedLock[] {
    const own = target.exists ? target.chain.at(-1)?.id : undefined;
    const concerned = [...this.covering(target), ...(isDeep && own !== undefined ? this.below(own) : [])];
    return concerned.filter((lock) => isExclusive || lock.isExclusive);
  }
}
