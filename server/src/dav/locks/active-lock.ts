import type { Instant } from '../../base/clock.ts';
import { toHref } from '../protocol/href.ts';
import { escapeXml } from '../xml/write-xml.ts';
import type { LockTarget, LockView, PlacedLock } from './lock.ts';

/** The element that describes a lock (RFC 4918, section 14.1). */
export function activeLock(lock: Omit<PlacedLock, 'id' | 'chain'>, now: Instant): string {
  const { isExclusive, isDeep, owner, token, path, isDirectory, expiresAt } = lock;
  const seconds = Math.max(0, Math.ceil((expiresAt - now) / 1_000));
  return [
    '<D:activelock><D:locktype><D:write/></D:locktype>',
    `<D:lockscope><D:${isExclusive ? 'exclusive' : 'shared'}/></D:lockscope>`,
    `<D:depth>${isDeep ? 'infinity' : '0'}</D:depth>${owner}<D:timeout>Second-${seconds}</D:timeout>`,
    `<D:locktoken><D:href>${escapeXml(token)}</D:href></D:locktoken>`,
    `<D:lockroot><D:href>${escapeXml(toHref(path, isDirectory))}</D:href></D:lockroot></D:activelock>`,
  ].join('');
}

/**
 * The characters of all locks that a member inherits from directories above it. PROPFIND repeats them with every
 * member, so there are only as many as fit, but at least one: the member is locked.
 */
const MAX_INHERITED_LENGTH = 4_096;

/** The active locks of a resource and of its members, each written once for a whole PROPFIND. */
export class ActiveLocks {
  readonly #view: LockView;
  readonly #now: Instant;
  readonly #inherited: string;
  /** Every lock that covers the resource. */
  readonly ofResource: string;

  constructor(view: LockView, resource: LockTarget, now: Instant) {
    this.#view = view;
    this.#now = now;
    const covering = view.covering(resource);
    this.ofResource = this.#write(covering);
    this.#inherited = this.#writeSome(covering.filter(({ isDeep }) => isDeep));
  }

  ofMember(entryId: number): string {
    return this.#view.isEmpty ? '' : this.#inherited + this.#write(this.#view.of(entryId));
  }

  #write(locks: readonly PlacedLock[]): string {
    return locks.map((lock) => activeLock(lock, this.#now)).join('');
  }

  #writeSome(locks: readonly PlacedLock[]): string {
    let xml = '';
    for (const lock of locks) {
      const next = activeLock(lock, this.#now);
      if (xml !== '' && xml.length + next.length > MAX_INHERITED_LENGTH) break;
      xml += next;
    }
    return xml;
  }
}
