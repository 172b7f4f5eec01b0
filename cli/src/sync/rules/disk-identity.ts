/** Identifies a file or directory on this computer. Inode numbers alone are unique only on one disk. */
export interface DiskIdentity {
  readonly device: string;
  readonly inode: string;
}

export function isSameIdentity(a: DiskIdentity, b: DiskIdentity): boolean {
  return a.inode === b.inode && a.device === b.device;
}

/** The identity as a key of maps. */
export function toIdentityKey({ device, inode }: DiskIdentity): string {
  return `${device} ${inode}`;
}

/** A set of files and directories of this computer, independent of their paths. */
export class IdentitySet {
  readonly #keys = new Set<string>();

  add(identity: DiskIdentity): void {
    this.#keys.add(toIdentityKey(identity));
  }

  has(identity: DiskIdentity): boolean {
    return this.#keys.has(toIdentityKey(identity));
  }
}
