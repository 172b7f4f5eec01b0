/** Identifies a file or directory among all of this computer. Each disk numbers its own inodes. */
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

/** Files and directories of this computer, whatever their paths are. */
export class IdentitySet {
  readonly #keys = new Set<string>();

  add(identity: DiskIdentity): void {
    this.#keys.add(toIdentityKey(identity));
  }

  has(identity: DiskIdentity): boolean {
    return this.#keys.has(toIdentityKey(identity));
  }
}
