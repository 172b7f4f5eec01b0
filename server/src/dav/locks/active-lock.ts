import type { Instant } from '../../base/clock.ts';
import { toHref } from '../protocol/href.ts';
import { escapeXml } from '../xml/write-xml.ts';
import type { LockTarget, LockView, PlacedLock } from './lock.ts';

/**
 * The element that describes a lock (RFC 4918, section 14.1).
 * @param root the address of the drive's root
 */
export function activeLock(root: string, lock: Omit<PlacedLock, 'id' | 'chain'>, now: Instant): string {
  const { isExclusive, isDeep, owner, token, path, isDirectory, expiresAt } = lock;
  const seconds = Math.max(0, Math.ceil((expiresAt - now) / 1_000));
  return [
    '<D:activelock><D:locktype><D:write/></D:locktype>',
    `<D:lockscope><D:${isExclusive ? 'exclusive' : 'shared'}/></D:lockscope>`,
    `<D:depth>${isDeep ? 'infinity' : '0'}</D:depth>${owner}<D:timeout>Second-${seconds}</D:timeout>`,
    `<D:locktoken><D:href>${escapeXml(token)}</D:href></D:locktoken>`,
    `<D:lockroot><D:href>${escapeXml(toHref(root, path, isDirectory))}</D:href></D:lockroot></D:activelock>`,
  ].join('');
}

/**
 * The maximum number of characters for the locks that a member inherits from directories above it. PROPFIND
 * repeats these locks for every member, so only the oldest ones that fit are written. At least one is always
 * written, to show that the member is locked.
 */
const MAX_INHERITED_LENGTH = 4_096;

/** The active locks of a resource and of its members. Inherited locks are written only once per PROPFIND. */
export class ActiveLocks {
  readonly #view: LockView;
  readonly #covering: readonly PlacedLock[];
  readonly #now: Instant;
  #inherited: string | undefined;

  constructor(view: LockView, resource: LockTarget, now: Instant) {
    this.#view = view;
    this.#covering = view.covering(resource);
    this.#now = now;
  }

  /** Every lock that covers the resource. */
  ofResource(): string {
    return this.#write(this.#covering);
  }

  ofMember(entryId: number): string {
    if (this.#view.isEmpty) return '';
    this.#inherited ??= this.#writeOldest(this.#covering.filter(({ isDeep }) => isDeep));
    return this.#inherited + this.#write(this.#view.of(entryId));
  }

  #write(locks: readonly PlacedLock[]): string {
    return locks.map((lock) => activeLock(this.#view.root, lock, this.#now)).join('');
  }

  #writeOldest(locks: readonly PlacedLock[]): string {
    let xml = '';
    for (const lock of locks) {
      const next = activeLock(this.#view.root, lock, this.#now);
      if (xml !== '' && xml.length + next.length > MAX_INHERITED_LENGTH) break;
      xml += next;
    }
    return xml;
  }
}
