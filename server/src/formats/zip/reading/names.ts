import { isUtf8 } from 'node:buffer';
import { type Entry, getFileNameLowLevel } from 'yauzl';
import { Failure } from '../../../base/failure.ts';
import { type FileName, toFileName } from '../../../base/text/names/file-name.ts';
import { MAX_PATH_LENGTH } from '../../../base/text/names/logical-path.ts';
import { quoteName, ZipFault } from './fault.ts';

/** A longer name is refused before anything is done with it. No character of it has more bytes in UTF-8. */
const MAX_RAW_BYTES = 4 * MAX_PATH_LENGTH;

/** APPNOTE, section 4.4.4, bit 11: the name is UTF-8. */
const IS_UTF8 = 1 << 11;

/**
 * Decodes the name of an entry: from the Unicode path field (section 4.6.9) if there is one for this name, as
 * UTF-8 if the entry declares that, otherwise as CP437. Names that are valid UTF-8 are always decoded as
 * UTF-8: the archiver of macOS does not declare it, and CP437 names are hardly ever valid UTF-8 by accident.
 *
 * @throws ZipFault
 */
export function decodeName(
  entry: Pick<Entry, 'fileNameRaw' | 'generalPurposeBitFlag' | 'extraFields'>,
): string {
  const { fileNameRaw, generalPurposeBitFlag, extraFields } = entry;
  if (fileNameRaw.length > MAX_RAW_BYTES) throw tooLong();
  const isValidUtf8 = isUtf8(fileNameRaw);
  const flags = isValidUtf8 ? generalPurposeBitFlag | IS_UTF8 : generalPurposeBitFlag;
  const name = getFileNameLowLevel(flags, fileNameRaw, extraFields, true);
  if (!isValidUtf8 && name.includes('\ufffd')) {
    throw new ZipFault(
      `The name ${quoteName(name)} in the archive is declared as UTF-8 but is not valid UTF-8.`,
    );
  }
  // CP437 decodes control characters to symbols, so they have to be found in the bytes.
  if (fileNameRaw.some((byte) => byte < 0x20 || byte === 0x7f)) throw badName(fileNameRaw.toString('latin1'));
  return name;
}

/**
 * Splits the name of an entry into its directories and its own name; empty for the root of the archive.
 * @throws ZipFault for a path outside of the archive, and for names that the drive does not allow
 */
export function toSegments(name: string): readonly FileName[] {
  // The Unicode path field may have a longer name than the header.
  if (name.length > MAX_PATH_LENGTH) throw tooLong();
  if (name.includes('\\')) throw badName(name);
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) {
    throw new ZipFault(`The entry ${quoteName(name)} has an absolute path.`);
  }
  // Some archivers write `./a` or `a//b`. Duplicate paths are found later.
  const segments = name.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..')) {
    throw new ZipFault(`The entry ${quoteName(name)} leads out of the archive.`);
  }
  if (segments.length === 0 && !/^(?:\.\/)+$/.test(name)) {
    throw new ZipFault('The archive has an entry without a name.');
  }
  return segments.map((segment) => toValidName(name, segment));
}

function toValidName(entryName: string, segment: string): FileName {
  try {
    return toFileName(segment);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new ZipFault(`The entry ${quoteName(entryName)} cannot be stored. ${error.message}`, {
      cause: error,
    });
  }
}

function tooLong(): ZipFault {
  return new ZipFault('The archive has an entry whose path is longer than 4,096 bytes.');
}

function badName(name: string): ZipFault {
  return new ZipFault(
    `The name of the entry ${quoteName(name)} must not contain "\\" or control characters.`,
  );
}
