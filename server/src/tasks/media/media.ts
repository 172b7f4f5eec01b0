import { parseLocalTime, parseTimestamp } from '../../base/clock.ts';
import type { Tx } from '../../database/database.ts';
import type { Drive } from '../../drive/drive.ts';
import type { Drives } from '../../drives/drives.ts';
import { findCapture } from '../../formats/media/capture/capture.ts';
import { findMovieShape } from '../../formats/media/capture/movie-shape.ts';
import { findDimensions } from '../../formats/media/image-dimensions.ts';
import { findMediaType, SIGNATURE_BYTES } from '../../formats/media/media-signatures.ts';
import { RangedBytes } from '../../formats/ranged-bytes.ts';
import { type Attempt, type Job, JobFailure } from '../engine/job.ts';

/** The prefix of the metadata keys that this job replaces. */
const PREFIX = 'media:';

interface MediaJobParts {
  readonly drives: Drives;
  readonly drive: Drive;
}

/**
 * Reads the type, the dimensions and the camera's records from the headers of a media file, and stores them
 * as metadata. Decodes no content.
 */
export class MediaJob implements Job {
  readonly type = 'MEDIA_META';
  readonly phase = 'extracting-metadata';
  readonly #parts: MediaJobParts;

  constructor(parts: MediaJobParts) {
    this.#parts = parts;
  }

  async run(attempt: Attempt): Promise<void> {
    const { driveId, accountId } = attempt;
    attempt.report({ metadataStage: 'reading' });
    const file = await this.#parts.drive.metadata.open(driveId, attempt.entryId ?? 0);
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
    const capture = await findCapture(contentType, bytes);
    const { takenAt } = capture;
    const found = {
      contentType,
      size: entry.size,
      width: dimensions?.width,
      height: dimensions?.height,
      ...capture,
      ...(await findMovieShape(contentType, bytes)),
    };
    const values = new Map(
      Object.entries(found).flatMap(([name, value]) =>
        value === undefined ? [] : [[`${PREFIX}${name}`, String(value)]],
      ),
    );
    const taken = {
      at: parseTimestamp(takenAt ?? '') ?? null,
      local: parseLocalTime(takenAt ?? '') ?? null,
    };
    attempt.report({ metadataStage: 'writing' });
    const write = async (tx: Tx) => {
      const described = { prefix: PREFIX, values, taken };
      await this.#parts.drive.metadata.replace(tx, { driveId, accountId, clientId: null }, entry, described);
      await attempt.complete(tx, { metadataStage: 'written' });
    };
    await this.#parts.drives.withDriveLock(
      { driveId, accountId },
      0,
      write,
      this.#parts.drive.metadata.hasManyCopies(entry),
    );
  }
}
