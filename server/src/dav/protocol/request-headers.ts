import type { IncomingHttpHeaders } from 'node:http';
import { SECOND } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import { decodeHeader } from '../../http/parsing/header-text.ts';

type Depth = '0' | '1' | 'infinity';

/**
 * The depth of a PROPFIND. Microsoft's web folders add `noroot`, to get the members without the directory
 * itself.
 * @throws Failure `invalid`
 */
export function readPropfindDepth(headers: IncomingHttpHeaders): { depth: Depth; hasRoot: boolean } {
  const text = textOf(headers, 'depth') ?? 'infinity';
  const depth = text.replace(/,\s*noroot\s*$/i, '');
  return { depth: readDepth({ depth }) ?? 'infinity', hasRoot: depth === text };
}

/** RFC 4918, section 10.2. @throws Failure `invalid` */
export function readDepth(headers: IncomingHttpHeaders): Depth | undefined {
  const text = textOf(headers, 'depth')?.trim().toLowerCase();
  if (text === undefined || text === '0' || text === '1' || text === 'infinity') return text;
  throw new Failure('invalid', 'Depth must be 0, 1 or infinity.');
}

/** RFC 4918, section 10.6. The default is to overwrite. @throws Failure `invalid` */
export function readOverwrite(headers: IncomingHttpHeaders): boolean {
  const text = textOf(headers, 'overwrite')?.trim().toUpperCase();
  if (text === undefined || text === 'T' || text === 'F') return text !== 'F';
  throw new Failure('invalid', 'Overwrite must be T or F.');
}

const MIN_TIMEOUT_MS = SECOND;
const MAX_TIMEOUT_MS = 3_600 * SECOND;
const DEFAULT_TIMEOUT_MS = 600 * SECOND;
const MAX_TIMEOUT_TEXT = 256;

/**
 * Reads the timeout that a LOCK asks for (RFC 4918, section 10.7): the first value in the list that is
 * understood, limited to 1 second to 1 hour. The default is 10 minutes.
 */
export function readTimeoutMs(headers: IncomingHttpHeaders): number {
  const text = textOf(headers, 'timeout') ?? '';
  if (text.length > MAX_TIMEOUT_TEXT) return DEFAULT_TIMEOUT_MS;
  for (const requested of text.split(',')) {
    const [, seconds] = /^\s*Second-(\d{1,10})\s*$/i.exec(requested) ?? [];
    if (seconds !== undefined) {
      return Math.min(Math.max(Number(seconds) * SECOND, MIN_TIMEOUT_MS), MAX_TIMEOUT_MS);
    }
    if (/^\s*Infinite\s*$/i.test(requested)) return MAX_TIMEOUT_MS;
  }
  return DEFAULT_TIMEOUT_MS;
}

/**
 * The token in an UNLOCK (RFC 4918, section 10.5). Some clients leave out the angle brackets.
 * @throws Failure `invalid`
 */
export function readLockToken(headers: IncomingHttpHeaders): string {
  const text = textOf(headers, 'lock-token')?.trim() ?? '';
  const token = text.startsWith('<') && text.endsWith('>') ? text.slice(1, -1) : text;
  if (!/^[^<>\s]{1,1024}$/.test(token)) throw new Failure('invalid', 'Lock-Token must be a URL.');
  return token;
}

/** The header as one text, even if it was sent several times. */
export function textOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/**
 * The text of a header with addresses, which some clients do not encode.
 * @throws Failure `invalid` unless its bytes are UTF-8
 */
export function utf8Of(headers: IncomingHttpHeaders, name: string): string | undefined {
  const sent = textOf(headers, name);
  const text = sent && decodeHeader(sent);
  if (text === undefined && sent !== undefined)
    throw new Failure('invalid', `The bytes of ${name} are not UTF-8.`);
  return text;
}
