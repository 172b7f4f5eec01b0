import { isUtf8 } from 'node:buffer';
import { Turns } from '../../../base/concurrency/turns.ts';
import { MAX_PATH_LENGTH } from '../../../base/text/names/logical-path.ts';
import { decodeFileName, type Encoding } from '../../encodings/encodings.ts';
import { guessEncoding } from '../../encodings/guess.ts';
import { quoteName, ZipFault } from './fault.ts';

/** Longer names are not decoded. A character has at most four bytes in UTF-8. */
const MAX_RAW_BYTES = 4 * MAX_PATH_LENGTH;

/** APPNOTE, section 4.4.4, bit 11: the name is UTF-8. */
const IS_UTF8 = 1 << 11;

/** A name as stored in the central directory. */
export interface RawName {
  readonly rawName: Buffer;
  readonly flags: number;
  /** From the Unicode path field. */
  readonly unicodePath: string | undefined;
  /** Whether `\` separates directories: no name on Windows or MS-DOS contains it. */
  readonly hasBackslashes: boolean;
}

interface DecodedNames {
  /** Undefined for a path too long for any drive. */
  readonly names: readonly (string | undefined)[];
  /** The encoding of the names that are not UTF-8; undefined if all are. */
  readonly encoding: Encoding | undefined;
}

/**
 * Decodes names from the Unicode path field if there is one. Otherwise names count as UTF-8 if they declare
 * it or are valid UTF-8, because the archiver of macOS does not declare it. All other names share one
 * encoding, which is guessed unless the user has chosen it.
 */
export async function decodeNames(all: readonly RawName[], chosen?: Encoding): Promise<DecodedNames> {
  const turns = new Turns();
  const unknown: Buffer[] = [];
  for (const name of all) {
    if (turns.isOver()) await turns.next();
    if (!isTooLong(name) && !isKnown(name, chosen)) unknown.push(name.rawName);
  }
  const encoding = unknown.length === 0 ? undefined : (chosen ?? (await guessEncoding(unknown)));
  const names: (string | undefined)[] = [];
  for (const name of all) {
    if (turns.isOver()) await turns.next();
    names.push(isTooLong(name) ? undefined : decodeName(name, isKnown(name, chosen) ? 'utf-8' : encoding));
  }
  return { names, encoding };
}

function isTooLong({ rawName, unicodePath }: RawName): boolean {
  return rawName.byteLength > MAX_RAW_BYTES || (unicodePath?.length ?? 0) > MAX_PATH_LENGTH;
}

/**
 * Whether the name is UTF-8. A chosen encoding applies to all names that do not declare UTF-8 and are not
 * ASCII.
 */
function isKnown({ rawName, flags, unicodePath }: RawName, chosen: Encoding | undefined): boolean {
  if (unicodePath !== undefined || (flags & IS_UTF8) !== 0) return true;
  return chosen === undefined ? isUtf8(rawName) : rawName.every((byte) => byte < 0x80);
}

function decodeName(raw: RawName, encoding: Encoding | undefined): string | undefined {
  const name = raw.unicodePath ?? decodeFileName(raw.rawName, encoding ?? 'utf-8');
  if (name.length > MAX_PATH_LENGTH) return undefined;
  return raw.hasBackslashes ? name.replaceAll('\\', '/') : name;
}

/**
 * Splits the path of an entry into its directories and its own name; empty for the root of the archive. The
 * drive may not allow these names unchanged.
 * @throws ZipFault for a path that leads out of the archive
 */
export function toSegments(name: string): readonly string[] {
  if (name.startsWith('/') || /^[A-Za-z]:[/\\]/.test(name)) {
    throw new ZipFault(`The entry ${quoteName(name)} has an absolute path.`);
  }
  // Windows treats a backslash as a separator, no matter which system made the archive.
  if (/(?:^|[/\\])\.\.(?:$|[/\\])/.test(name)) {
    throw new ZipFault(`The entry ${quoteName(name)} leads out of the archive.`);
  }
  // Some archivers write `./a` or `a//b`. Duplicate paths are found later.
  return name.split('/').filter((segment) => segment !== '' && segment !== '.');
}
