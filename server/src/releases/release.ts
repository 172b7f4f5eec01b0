import { Failure } from '../base/failure.ts';
import type { ObjectLocation } from '../policies/policies.ts';

/** A published Android package. */
export interface Release extends ReleaseName {
  readonly place: ObjectLocation;
  /** Bytes. */
  readonly size: number;
  /** Null until it is computed. */
  readonly sha256: string | null;
  readonly releasedAt: number;
}

export interface ReleaseName {
  /** The release with the highest version code is the newest. */
  readonly versionCode: number;
  /** The version that people see, such as `1.4.0`. */
  readonly versionName: string;
  /** The last segment of the download URL, and the name of the downloaded file. */
  readonly fileName: string;
}

/** Text that needs no escaping in a path, a header or a file name. */
const SAFE_TEXT = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/;

/** The largest version code that Android accepts. */
const MAX_VERSION_CODE = 2_100_000_000;

/**
 * Checks a version and gives it the file name `<name>-<versionName>.apk`.
 * @throws Failure `invalid`
 */
export function nameRelease(name: string, versionName: string, versionCode: number): ReleaseName {
  if (!SAFE_TEXT.test(name)) {
    throw new Failure('invalid', 'The name must be 1 to 64 letters (A-Z), digits or the signs . _ + -');
  }
  if (!SAFE_TEXT.test(versionName)) {
    throw new Failure(
      'invalid',
      'The version name must be such as 1.4.0: letters, digits and the signs . _ + -',
    );
  }
  if (!Number.isInteger(versionCode) || versionCode < 1 || versionCode > MAX_VERSION_CODE) {
    throw new Failure('invalid', `The version code must be a whole number from 1 to ${MAX_VERSION_CODE}.`);
  }
  return { versionCode, versionName, fileName: `${name}-${versionName}.apk` };
}

/** Whether the bytes may begin a package, which is a ZIP archive that starts with a file record. */
export function isPackageHead(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 4)).equals(Buffer.from([0x50, 0x4b, 0x03, 0x04]));
}
