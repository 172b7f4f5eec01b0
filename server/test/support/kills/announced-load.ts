import { randomBytes } from 'node:crypto';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import type { UploadTarget } from '../../../src/http/fields.ts';
import { putTo } from '../uploads/upload-session.ts';
import { toHash } from './load.ts';
import { ShelfLoad } from './shelf-load.ts';

const UPLOAD = '/api/files/upload';
/** An upload whose bytes were acknowledged. */
interface StoredUpload {
  readonly name: string;
  readonly storageName: string;
  readonly hash: string;
}

/** Uploads files in three steps: announces each, sends its bytes, completes it. */
export class AnnouncedLoad extends ShelfLoad {
  #stored: StoredUpload | undefined;

  protected async step(): Promise<void> {
    if (this.isFull) return await this.removeOldest();
    if (this.#stored === undefined) this.#stored = await this.#send();
    else await this.#complete(this.#stored);
  }

  protected async compare(): Promise<void> {
    await this.shelf.check(this.person);
    // The completion has taken effect. Otherwise it is repeated with the stored bytes.
    if (this.#stored !== undefined && this.shelf.has(this.#stored.name)) this.#stored = undefined;
  }

  async #send(): Promise<StoredUpload> {
    const [name, bytes] = [this.random.word(12), randomBytes(this.pickSize())];
    const body = { path: this.home, filename: name, size: bytes.length };
    const target = await this.acknowledge(
      this.person.ask<UploadTarget & { storageName: string }>('POST', `${UPLOAD}/initiate`, { body }),
    );
    if (target.direct) await putTo(target, bytes);
    else await this.acknowledge(this.person.ask('PUT', target.uploadUrl, { body: bytes }));
    return { name, storageName: target.storageName, hash: toHash(bytes) };
  }

  async #complete({ name, storageName, hash }: StoredUpload): Promise<void> {
    this.shelf.expect(name, hash);
    const body = { path: this.home, filename: name, storageName };
    const { id } = await this.acknowledge(
      this.person.ask<EntryRecord>('POST', `${UPLOAD}/complete`, { body }),
    );
    this.shelf.add(name, id);
    this.#stored = undefined;
  }
}
