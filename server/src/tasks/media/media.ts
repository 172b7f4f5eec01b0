import type { Accounts } from '../../accounts/accounts.ts';
import type { Tx } from '../../database/database.ts';
import type { Drive } from '../../drive/drive.ts';
import { findDimensions } from '../../formats/media/image-dimensions.ts';
import { findMediaType, SIGNATURE_BYTES } from '../../formats/media/media-signatures.ts';
import { RangedBytes } from '../../formats/ranged-bytes.ts';
import { type Attempt, type Job, JobFailure } from '../engine/job.ts';

/** The prefix of the metadata keys that this job replaces. */
const PREFIX = 'media:';

/**
 * Reads type and dimensions from the headers of a media file and stores them as metadata. Decodes no content.
 */
export class MediaJob implements Job {
  readonly type = 'MEDIA_META';
  readonly phase = 'extracting-metadata';
  readonly #accounts: Accounts;
  readonly #drive: Drive;

  constructor(parts: { accounts: Accounts; drive: Drive }) {
    this.#accounts = parts.accounts;
    this.#drive = parts.drive;
  }

  async run(attempt: Attempt): Promise<void> {
    const { ownerId } = attempt;
    attempt.report({ metadataStage: 'reading' });
    const file = await this.#drive.metadata.open(ownerId, attempt.entryId ?? 0);
    const { entry } = file;
    const bytes = new RangedBytes(entry.size, (start, length) => {
      attempt.signal.throwIfAborted();
      return file.read(start, length);
    });
    const contentType = findMediaType((await bytes.read(0, SIGNATURE_BYTES)) ?? new Uint8Array(), entry.name);
    if (contentType === undefined) {
      throw new JobFailure('UNSUPPORTED_INPUT', 'The content is not a known image, video or audio format.');
    }
    const dimensions = await findDimensions(contentType, bytes);
    const values = new Map([
      [`${PREFIX}contentType`, contentType],
      [`${PREFIX}size`, String(entry.size)],
    ]);
    if (dimensions !== undefined) {
      values.set(`${PREFIX}width`, String(dimensions.width));
      values.set(`${PREFIX}height`, String(dimensions.height));
    }
    attempt.report({ metadataStage: 'writing' });
    const write = async (tx: Tx) => {
      await this.#drive.metadata.replace(tx, { ownerId, clientId: null }, entry, { prefix: PREFIX, values });
      await attempt.complete(tx, { metadataStage: 'written' });
    };
    await this.#accounts.withDriveLock(ownerId, 0, write, this.#drive.metadata.hasManyCopies(entry));
  }
}
