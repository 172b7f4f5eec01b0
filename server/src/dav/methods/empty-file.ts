import { isDefiniteFailure } from '../../base/failure.ts';
import type { Tx } from '../../database/database.ts';
import {
  type Actor,
  type ContentWrite,
  type Drive,
  type Entry,
  type Place,
  toNewFile,
} from '../../drive/drive.ts';

const NO_BYTES: readonly Uint8Array[] = [];

type StoredBytes = Awaited<ReturnType<ContentWrite['store']>>;

/** A file without content, which a transaction may create. Its empty object is stored beforehand. */
export class EmptyFile {
  readonly #drive: Drive;
  readonly #actor: Actor;
  readonly #bytes: StoredBytes;
  #isUsed = false;

  private constructor(drive: Drive, actor: Actor, bytes: StoredBytes) {
    this.#drive = drive;
    this.#actor = actor;
    this.#bytes = bytes;
  }

  /**
   * Runs the work with an empty file. Afterwards, removes the object unless the work has created the file.
   */
  static during<T>(drive: Drive, actor: Actor, work: (file: EmptyFile) => Promise<T>): Promise<T> {
    const upload = { user: actor, size: { minBytes: 0, maxBytes: 0 } };
    return drive.content.reserveDuring(upload, async (write) => {
      const limit = await drive.content.getLimit(actor.driveId);
      const bytes = await write.store(toSource(NO_BYTES), limit);
      const file = new EmptyFile(drive, actor, bytes);
      try {
        const result = await work(file);
        if (!file.#isUsed) await write.discard(bytes);
        return result;
      } catch (error) {
        if (isDefiniteFailure(error) || !file.#isUsed) await write.discard(bytes);
        throw error;
      }
    });
  }

  /**
   * Creates the file. The transaction must have locked the drive.
   * @throws Failure `conflict`, `over-limit`
   */
  async create(tx: Tx, { directoryPath, name }: Place): Promise<Entry> {
    this.#isUsed = true;
    const file = toNewFile({ path: directoryPath, filename: name });
    return (await this.#drive.contentChanges.add(tx, this.#actor, this.#bytes, { file })).entry;
  }
}

async function* toSource(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
