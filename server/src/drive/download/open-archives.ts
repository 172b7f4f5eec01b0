import { FairSemaphore } from '../../base/concurrency/fair-semaphore.ts';
import { Failure } from '../../base/failure.ts';
import type { DownloadClient } from '../../http/download/download-client.ts';
import type { TreeReader } from './tree-reader.ts';
import { readZipContents, type TopEntry, type ZipContents } from './zip-contents.ts';

/** The maximum number of directories read for archives at the same time. Each client reads at most one. */
const READERS = 4;
const MAX_WAITING = 200;

const LIMITS = {
  /** Archives that one client may receive at the same time. */
  archivesOfClient: 8,
  /** The entries of all archives of one client, at about 230 bytes an entry. */
  entriesOfClient: 400_000,
  /** The entries of all archives of this instance. */
  entries: 2_000_000,
};

interface Share {
  archives: number;
  entries: number;
}

interface OpenArchivesParts {
  readonly treeReader: Pick<TreeReader, 'walk'>;
  readonly maxTreeEntries: number;
  readonly limits?: typeof LIMITS;
}

/**
 * The archives that this instance is sending. Each keeps the list of its entries until its response ends,
 * however slowly the client reads. So each client gets only a share of the memory for such lists, and clients
 * take turns reading directories.
 */
export class OpenArchives {
  readonly #limits: typeof LIMITS;
  readonly #parts: OpenArchivesParts;
  readonly #readers = new FairSemaphore(READERS, MAX_WAITING);
  readonly #shares = new Map<string, Share>();
  #entries = 0;

  constructor(parts: OpenArchivesParts) {
    this.#parts = parts;
    this.#limits = parts.limits ?? LIMITS;
  }

  /** The entries of all archives that are being sent. */
  get entryCount(): number {
    return this.#entries;
  }

  /**
   * Reads what an archive of these entries contains. The archive counts until the client's response ends.
   * @throws Failure `too-many` if the client is already receiving too much; `over-limit` for a tree with too
   *   many entries; the reason of the client's signal
   */
  async read(top: readonly TopEntry[], client: DownloadClient): Promise<ZipContents> {
    const { key, signal } = client;
    const limits = this.#limits;
    const share = this.#shares.get(key) ?? { archives: 0, entries: 0 };
    if (share.archives >= limits.archivesOfClient) throw tooMany();
    share.archives += 1;
    this.#shares.set(key, share);
    let entries = 0;
    let hasEnded = false;
    client.onEnd(() => {
      hasEnded = true;
      share.archives -= 1;
      share.entries -= entries;
      this.#entries -= entries;
      if (share.archives === 0) this.#shares.delete(key);
    });
    const onEntry = () => {
      if (hasEnded) return;
      if (share.entries >= limits.entriesOfClient || this.#entries >= limits.entries) throw tooMany();
      entries += 1;
      share.entries += 1;
      this.#entries += 1;
    };
    const options = { maxEntries: this.#parts.maxTreeEntries, signal, onEntry };
    return await this.#readers.run(
      key,
      () => readZipContents(this.#parts.treeReader, top, options),
      false,
      signal,
    );
  }
}

function tooMany(): Failure {
  return new Failure('too-many', 'Too many archives are being downloaded. Please wait until one has ended.');
}
