import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { SessionWithRuntime } from '../../../src/uploads/contract.ts';
import { assertTus, checksumOf, TUS, TusUpload } from '../uploads/tus.ts';
import { SESSIONS } from '../uploads/upload-session.ts';
import { toHash } from './load.ts';
import { ShelfLoad } from './shelf-load.ts';

interface RunningUpload {
  readonly id: string;
  readonly name: string;
  readonly bytes: Buffer<ArrayBuffer>;
  /** The number of bytes acknowledged. */
  offset: number;
  /** The number of bytes sent. */
  sent: number;
  /** How far a cancellation of the upload has come. */
  end: 'none' | 'sent' | 'acknowledged';
}

/** Uploads files in pieces with the tus protocol, and cancels some. */
export class TusLoad extends ShelfLoad {
  #upload: RunningUpload | undefined;

  protected async step(): Promise<void> {
    if (this.isFull) return await this.removeOldest();
    const upload = this.#upload;
    if (upload === undefined) this.#upload = await this.#begin();
    else if (upload.offset > 0 && this.random.chance(5)) await this.#cancel(upload);
    else await this.#sendPiece(upload);
  }

  protected async compare(): Promise<void> {
    if (this.#upload !== undefined) await this.#compareUpload(this.#upload);
    await this.shelf.check(this.person);
  }

  async #begin(): Promise<RunningUpload> {
    const [name, bytes] = [this.random.word(12), randomBytes(this.pickSize() + 1)];
    const created = TusUpload.create(this.person, name, bytes.length, { path: this.home });
    const { id } = await this.acknowledge(created);
    return { id, name, bytes, offset: 0, sent: 0, end: 'none' };
  }

  async #sendPiece(upload: RunningUpload): Promise<void> {
    const { bytes, offset, name } = upload;
    upload.sent = Math.min(bytes.length, offset + this.random.between(1, 500_000));
    const piece = bytes.subarray(offset, upload.sent);
    const headers = this.random.chance(30) ? { 'upload-checksum': checksumOf(piece) } : undefined;
    if (upload.sent === bytes.length) this.shelf.expect(name, toHash(bytes));
    const answer = await this.#at(upload).patch(offset, piece, headers);
    // On a very busy machine the service may lose its lock on the upload. Like a client, this asks for the
    // offset.
    if (answer.status === 503) return await this.#compareUpload(upload);
    assertTus(answer, 204);
    await this.acknowledge(Promise.resolve());
    upload.offset = upload.sent;
    if (upload.offset === bytes.length) await this.#finish(upload);
  }

  async #finish(upload: RunningUpload): Promise<void> {
    const session = await this.#session(upload);
    assert.equal(session.status, 'COMPLETED');
    this.shelf.add(upload.name, session.fileId);
    this.#upload = undefined;
  }

  async #cancel(upload: RunningUpload): Promise<void> {
    upload.end = 'sent';
    assertTus(await this.acknowledge(this.#at(upload).end()), 204);
    upload.end = 'acknowledged';
    // The upload stays as it is until the next check.
    this.rest();
  }

  async #compareUpload(upload: RunningUpload): Promise<void> {
    const { bytes, name, offset, sent, end } = upload;
    const answer = await this.#at(upload).head();
    if (end === 'acknowledged' || (end === 'sent' && answer.status === 410)) {
      assert.equal(answer.status, 410, `the cancelled upload ${name} goes on`);
      this.#upload = undefined;
      return;
    }
    assert.equal(answer.status, 200, `the upload ${name} was acknowledged and is not there`);
    const found = Number(answer.headers.get('upload-offset'));
    assert.ok(
      found >= offset && found <= sent,
      `${name}: ${found} bytes, ${offset} acknowledged, ${sent} sent`,
    );
    upload.offset = found;
    upload.sent = found;
    upload.end = 'none';
    if (found < bytes.length) return;
    this.shelf.expect(name, toHash(bytes));
    await this.#finish(upload);
  }

  #at({ id }: RunningUpload): TusUpload {
    return new TusUpload(this.person, `${TUS}/${id}`);
  }

  #session({ id }: RunningUpload): Promise<SessionWithRuntime> {
    return this.person.ask('GET', `${SESSIONS}/${id}`);
  }
}
