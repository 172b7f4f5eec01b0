import type { Instant } from '../../base/clock.ts';
import { toHref } from '../protocol/href.ts';
import { escapeXml } from '../xml/write-xml.ts';
import type { PlacedLock } from './lock.ts';

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
