import { isUtf8 } from 'node:buffer';
import { type Entry, getFileNameLowLevel } from 'yauzl';
import { Failure } from '../../../base/failure.ts';
import { type FileName, toFileName } from '../../../base/text/file-name.ts';
import { quoteName, ZipFault } from './fault.ts';

/** APPNOTE, section 4.4.4, bit 11: the name is UTF-8. */
const IS_UTF8 = 1 << 11;

/**
 * The name of an entry as text: by the Unicode path field (section 4.6.9) where there is one that belongs to
 * the name, as UTF-8 where the entry says so, otherwise as CP437. But a name beyond ASCII that is good UTF-8
 * is taken for UTF-8: what the archiver of macOS writes does not say so, and hardly a CP437 name reads as
 * UTF-8 by chance.
 *
 * @throws ZipFault
 */
export function decodeName(
  entry: Pick<Entry, 'fileNameRaw' | 'generalPurposeBitFlag' | 'extraFields'>,
): string {
  const { fileNameRaw, generalPurposeBitFlag, extraFields } = entry;
  const reads = isUtf8(fileNameRaw);
  const flags = reads ? generalPurposeBitFlag | IS_UTF8 : generalPurposeBitFlag;
  const name = getFileNameLowLevel(flags, fileNameRaw, extraFields, true);
  if (!reads && name.includes('\ufffd')) {
    throw new ZipFault(`The name ${quoteName(name)} in the archive is not the UTF-8 that it claims to be.`);
  }
  // CP437 has pictures where others have control characters.
  if (fileNameRaw.some((byte) => byte < 0x20 || byte === 0x7f)) throw badName(fileNameRaw.toString('latin1'));
  return name;
}

/**
 * Where an entry lies, the topmost directory first; none for the archive's own root.
 * @throws ZipFault for a place outside of the archive and for what cannot be a name here
 */
export function toSegments(name: string): readonly FileName[] {
  if (name.includes('\\')) throw badName(name);
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) {
    throw new ZipFault(`The entry ${quoteName(name)} has an absolute path.`);
  }
  // Some write `./a` or `a//b`; whether two of those are one shows later.
  const segments = name.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..')) {
    throw new ZipFault(`The entry ${quoteName(name)} leads out of the archive.`);
  }
  if (segments.length === 0 && !/^(?:\.\/)+$/.test(name)) {
    throw new ZipFault('The archive has an entry without a name.');
  }
  return segments.map((segment) => toNameOf(name, segment));
}

function toNameOf(entryName: string, segment: string): FileName {
  try {
    return toFileName(segment);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new ZipFault(`The entry ${quoteName(entryName)} cannot be stored. ${error.message}`, {
      cause: error,
    });
  }
}

function badName(name: string): ZipFault {
  return new ZipFault(
    `The name of the entry ${quoteName(name)} must not contain "\\" or control characters.`,
  );
}
