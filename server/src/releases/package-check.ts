import { Failure } from '../base/failure.ts';
import { ZipFault } from '../formats/zip/reading/fault.ts';
import { readArchive } from '../formats/zip/reading/reader.ts';
import type { ArchiveBytes } from '../formats/zip/reading/windows.ts';

/** Nothing is unpacked, so any ratio is harmless. */
const LIMITS = { maxEntries: 100_000, maxRatio: Number.POSITIVE_INFINITY };

/** At the top of each package. In a bundle for a store (AAB) it is in a directory. */
const MANIFEST = 'AndroidManifest.xml';

/**
 * Checks that bytes are a whole ZIP archive with a manifest. The directory of an archive is at its end, so a
 * part of a package does not pass.
 * @throws Failure `rejected`; the reason of the signal
 */
export async function checkPackage(bytes: ArchiveBytes, signal?: AbortSignal): Promise<void> {
  try {
    const { entries } = await readArchive(bytes, LIMITS, { signal });
    if (entries.some(({ name, isDirectory, size }) => name === MANIFEST && !isDirectory && size > 0)) return;
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error;
    throw notAPackage(error);
  }
  throw notAPackage();
}

function notAPackage(cause?: ZipFault): Failure {
  const reason = cause === undefined ? `It has no ${MANIFEST}.` : cause.message;
  return new Failure('rejected', `This is not an Android package (APK). ${reason}`, { cause });
}
