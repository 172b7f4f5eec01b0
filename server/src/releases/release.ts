import { Failure } from '../base/failure.ts';
import type { ObjectLocation } from '../policies/policies.ts';

/** A package for phones that is served. */
export interface Release extends ReleaseName {
  readonly place: ObjectLocation;
  /** Bytes. */
  readonly size: number;
  /** Null as long as nobody has taken it. */
  readonly sha256: string | null;
  readonly releasedAt: number;
}

export interface ReleaseName {
  /** By which the newest is known: the highest. */
  readonly versionCode: number;
  /** What people read: `1.4.0`. */
  readonly versionName: string;
  /** Under which it is served, and saved by whoever downloads it. */
  readonly fileName: string;
}

/** What stands in a path, a header and a file name as it is. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/;

/** The largest that Android knows. */
const MOST_VERSION_CODE = 2_100_000_000;

/**
 * `<name>-<versionName>.apk`
 * @throws Failure `invalid` for what cannot be in a file name, or is no version
 */
export function nameRelease(name: string, versionName: string, versionCode: number): ReleaseName {
  if (!PLAIN.test(name)) {
    throw new Failure('invalid', 'The name must be 1 to 64 letters (A-Z), digits or the signs . _ + -');
  }
  if (!PLAIN.test(versionName)) {
    throw new Failure(
      'invalid',
      'The version name must be such as 1.4.0: letters, digits and the signs . _ + -',
    );
  }
  if (!Number.isInteger(versionCode) || versionCode < 1 || versionCode > MOST_VERSION_CODE) {
    throw new Failure('invalid', `The version code must be a whole number from 1 to ${MOST_VERSION_CODE}.`);
  }
  return { versionCode, versionName, fileName: `${name}-${versionName}.apk` };
}

/** A package is a ZIP archive, and its first record is that of a file. */
export function isPackageHead(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 4)).equals(Buffer.from([0x50, 0x4b, 0x03, 0x04]));
}
