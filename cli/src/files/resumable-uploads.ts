import path from 'node:path';
import {
  type EntryRecord,
  ExpiredError,
  type Holdall,
  InvalidError,
  NotFoundError,
  type PieceSource,
  ProtocolError,
} from '../../../client/src/client.ts';
import { joinRemote } from '../remote-path.ts';
import type { LocalEntry } from './local-files.ts';
import { openSource } from './open-source.ts';
import type { UnfinishedUploads, UploadKey } from './unfinished-uploads.ts';

type SendOptions = NonNullable<Parameters<Holdall['uploads']['resume']>[2]>;

interface ResumableUploadsParts {
  readonly holdall: Holdall;
  readonly unfinished: UnfinishedUploads;
  readonly url: string;
  /** The shared drive; undefined for the personal one. */
  readonly driveId: number | undefined;
  readonly signal: AbortSignal;
}

/** Uploads new files. The next run continues an interrupted upload. */
export class ResumableUploads {
  readonly #parts: ResumableUploadsParts;

  constructor(parts: ResumableUploadsParts) {
    this.#parts = parts;
  }

  /**
   * @param local `source` has the bytes; if it is absent, they are read from `path`
   * @throws HoldallError: `ConflictError` if the name is taken; Error of the file system
   */
  async send(
    local: Pick<LocalEntry, 'path' | 'size' | 'modifiedAt' | 'state'> & {
      readonly source?: PieceSource | Uint8Array<ArrayBuffer>;
    },
    { directory, filename }: { readonly directory: string; readonly filename: string },
    onBytes: (bytes: number) => void,
  ): Promise<EntryRecord> {
    const { path: localPath, size, modifiedAt, state: localState } = local;
    const remotePath = joinRemote(directory, filename);
    const { url, driveId } = this.#parts;
    const key = { url, driveId, localPath: path.resolve(localPath), localState, remotePath };
    const source = local.source ?? (await openSource(localPath, size));
    let counted = 0;
    const onProgress = ({ sentBytes }: { readonly sentBytes: number }) => {
      onBytes(Math.max(0, sentBytes - counted));
      counted = Math.max(counted, sentBytes);
    };
    const options = { onProgress, signal: this.#parts.signal };
    if (!(source instanceof Uint8Array)) {
      const resumed = await this.#resume(key, source, { ...options, modifiedAt });
      if (resumed !== undefined) return resumed;
    }
    let stored: Promise<void> | undefined;
    const onResumeToken = (token: string) => {
      // If the token cannot be stored, an interrupted upload starts over.
      stored = this.#parts.unfinished.add(key, token).catch(() => undefined);
    };
    const target = { path: directory, filename, modifiedAt };
    const sent = this.#parts.holdall.uploads.put(source, target, { ...options, onResumeToken });
    // Wait until the token is stored, even if the upload fails, because the next run needs it.
    const record = await sent.finally(() => stored);
    if (stored !== undefined) await this.#parts.unfinished.remove(key);
    return record;
  }

  /**
   * Continues the upload of an earlier run; only files that are not small have one. Undefined if there is
   * none. The earlier run may have sent everything and lost only the last response. If someone has moved or
   * edited the file since then, this also returns undefined.
   */
  async #resume(
    key: UploadKey,
    source: PieceSource,
    { modifiedAt, ...options }: SendOptions & { readonly modifiedAt: Date },
  ): Promise<EntryRecord | undefined> {
    const token = await this.#parts.unfinished.find(key);
    if (token === undefined) return undefined;
    try {
      const record = await this.#parts.holdall.uploads.resume(token, source, options);
      await this.#parts.unfinished.remove(key);
      const isAsSent =
        record.path === key.remotePath.normalize('NFC') &&
        record.size === source.size &&
        record.modifiedAt === modifiedAt.toISOString();
      return isAsSent ? record : undefined;
    } catch (error) {
      const isGone = error instanceof ExpiredError || error instanceof NotFoundError;
      // The stored text is not a token, or it is a token for other bytes.
      const isWrong = error instanceof ProtocolError || error instanceof InvalidError;
      if (!isGone && !isWrong) throw error;
      await this.#parts.unfinished.remove(key);
      return undefined;
    }
  }
}
