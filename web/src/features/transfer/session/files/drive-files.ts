import type { EntryRecord } from '../../../../../../client/src/client.ts';
import { readContentTag } from '../../../../../../client/src/common/content-tag.ts';
import { errorOf } from '../../../../../../client/src/errors/read-error.ts';
import { addressOf } from '../../../../api/address-of.ts';
import { ask, fetchAnswer } from '../../../../api/ask.ts';
import type { ChosenFile, ReadableFile } from './chosen-files.ts';
import { FOLDER_PAGE, findFiles } from './find-files.ts';

/** A file of a drive. Only the parts that are currently being sent are in memory. */
class DriveFile implements ReadableFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly #address: string;
  /** The ETag of the content that was read first. */
  #etag: string | undefined;
  /** Resolves after the first read, which returns the ETag. The other reads wait for it. */
  #first: Promise<void> | undefined;

  constructor({ id, driveId: drive, filename, contentType, size }: EntryRecord) {
    this.name = filename;
    this.type = contentType ?? '';
    this.size = size;
    this.#address = addressOf('GET /api/files/download/{fileId}', { path: { fileId: id }, drive });
  }

  slice(start: number, end: number): Pick<Blob, 'arrayBuffer'> {
    return { arrayBuffer: () => this.#readAfterFirst(start, Math.min(end, this.size)) };
  }

  /** @throws HoldallError */
  async #readAfterFirst(start: number, end: number): Promise<ArrayBuffer> {
    await this.#first;
    const reading = this.#read(start, end);
    const ended = () => undefined;
    this.#first ??= reading.then(ended, ended);
    return await reading;
  }

  /** @throws HoldallError */
  async #read(start: number, end: number): Promise<ArrayBuffer> {
    if (start >= end) return new ArrayBuffer(0);
    const headers: Record<string, string> = { range: `bytes=${start}-${end - 1}` };
    // Without this condition, parts of two versions could be sent as one file.
    if (this.#etag !== undefined) headers['if-range'] = this.#etag;
    const response = await fetchAnswer(this.#address, { headers });
    // The first read has no ETag, so only the total size can show that the file was replaced before.
    const total = response.headers.get('content-range')?.split('/')[1];
    if (response.status !== 206 || total !== String(this.size)) {
      await response.body?.cancel();
      throw errorOf(response.status, 'The file has changed, or could not be read.');
    }
    this.#etag ??= readContentTag(response);
    return await response.arrayBuffer();
  }
}

/**
 * Reads files and whole folders of drives, as if they had been chosen on this device.
 * @throws HoldallError; TooManyFolders
 */
export async function readDriveFiles(entries: readonly EntryRecord[]): Promise<readonly ChosenFile[]> {
  // A search in all drives finds entries of several drives.
  const found = await findFiles(entries, ({ path, driveId: drive }, page) =>
    ask('GET /api/files/list', { query: { path, page, size: FOLDER_PAGE }, drive }),
  );
  return found.map(({ entry, relativePath }) => ({ file: new DriveFile(entry), relativePath }));
}
