import { isDefiniteFailure } from '../../base/failure.ts';
import type { Tx } from '../../database/database.ts';
import type { Actor, Drive, Entry, Place } from '../../drive/drive.ts';
import { toNewFile } from '../../drive/drive.ts';
import { chargeUsage, type UploadReservation } from '../../drives/drives.ts';

const NO_BYTES: readonly Uint8Array[] = [];

type StoredBytes = Awaited<ReturnType<Drive['fileCreation']['store']>>;

/** A file without content, which a transaction may create. Its empty object is stored before. */
export class EmptyFile {
  readonly #drive: Drive;
  readonly #actor: Actor;
  readonly #bytes: StoredBytes;
  readonly #reservation: UploadReservation;
  #isUsed = false;

  private constructor(parts: {
    drive: Drive;
    actor: Actor;
    bytes: StoredBytes;
    reservation: UploadReservation;
  }) {
    this.#drive = parts.drive;
    this.#actor = parts.actor;
    this.#bytes = parts.bytes;
    this.#reservation = parts.reservation;
  }

  /** Runs the work with an empty file. Removes the object unless the work has created the file. */
  static during<T>(
    { drive }: { readonly drive: Drive },
    actor: Actor,
    work: (file: EmptyFile) => Promise<T>,
  ): Promise<T> {
    const { fileCreation } = drive;
    return fileCreation.reserveDuring(actor.ownerId, { minBytes: 0, maxBytes: 0 }, async (reservation) => {
      const limit = await fileCreation.getUploadLimit(actor.ownerId);
      const bytes = await fileCreation.store(toSource(NO_BYTES), limit, reservation);
      const file = new EmptyFile({ drive, actor, bytes, reservation });
      try {
        const result = await work(file);
        if (!file.#isUsed) await fileCreation.discard(bytes);
        return result;
      } catch (error) {
        if (isDefiniteFailure(error) || !file.#isUsed) await fileCreation.discard(bytes);
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
    await chargeUsage(tx, this.#actor.ownerId, { bytes: 0, files: 1, entries: 1 });
    await this.#reservation.endWith(tx);
    const file = toNewFile({ path: directoryPath, filename: name });
    const { entry } = await this.#drive.fileCreation.insertFile(tx, this.#actor, this.#bytes, file);
    return entry;
  }
}

async function* toSource(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
