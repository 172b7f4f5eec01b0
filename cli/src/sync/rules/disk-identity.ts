/** Tells a file or directory from all others of this computer. Each disk has its own numbers of inodes. */
export interface DiskIdentity {
  readonly device: string;
  readonly inode: string;
}

export function isSameIdentity(a: DiskIdentity, b: DiskIdentity): boolean {
  return a.inode === b.inode && a.device === b.device;
}

/** What tells a file or directory from all others, as a key of maps. */
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
