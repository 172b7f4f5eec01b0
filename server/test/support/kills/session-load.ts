import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { SessionRecord } from '../../../src/uploads/contract.ts';
import { ok, openSession, putTo, SessionCalls } from '../uploads/upload-session.ts';
import { toHash } from './load.ts';
import { ShelfLoad } from './shelf-load.ts';

/** The last step of a session that was acknowledged or sent. */
type Stage = 'created' | 'stored' | 'completing' | 'cancelling';

interface OpenSession {
  readonly session: SessionRecord;
  readonly name: string;
  readonly bytes: Buffer<ArrayBuffer>;
  stage: Stage;
}

/** The statuses that a session may have after a crash in each stage. */
const STATUSES: Readonly<Record<Stage, readonly string[]>> = {
  created: ['CREATED', 'UPLOADING'],
  stored: ['CREATED', 'UPLOADING'],
  completing: ['CREATED', 'UPLOADING', 'COMPLETING', 'COMPLETED'],
  cancelling: ['CREATED', 'UPLOADING', 'CANCELLED'],
};

/** Uploads files with upload sessions, in the mode of the store, and cancels some. */
export class SessionLoad extends ShelfLoad {
  #open: OpenSession | undefined;
  /** The last session that was acknowledged as final. */
  #final: SessionRecord | undefined;

  protected async step(): Promise<void> {
    if (this.isFull) return await this.removeOldest();
    if (this.#open === undefined) this.#open = await this.#begin();
    else if (this.#open.stage === 'created') await this.#store(this.#open);
    else if (this.#open.stage === 'cancelling' || this.random.chance(10)) await this.#cancel(this.#open);
    else await this.#complete(this.#open);
  }

  protected async compare(): Promise<void> {
    if (this.#final !== undefined) {
      const { status, fileId } = ok(await this.#calls(this.#final).get());
      assert.deepEqual([status, fileId], [this.#final.status, this.#final.fileId]);
    }
    if (this.#open !== undefined) await this.#compareOpen(this.#open);
    await this.shelf.check(this.person);
  }

  async #begin(): Promise<OpenSession> {
    const [name, bytes] = [this.random.word(12), randomBytes(this.pickSize())];
    const announced = { path: this.home, filename: name, size: bytes.length };
    const { session } = await this.acknowledge(openSession(this.person, announced));
    return { session, name, bytes, stage: 'created' };
  }

  async #store(open: OpenSession): Promise<void> {
    const { session, bytes } = open;
    const calls = this.#calls(session);
    if (session.uploadMode === 'PROXY') ok(await this.acknowledge(calls.send(bytes)));
    else if (session.uploadMode === 'DIRECT_SINGLE') await putTo(ok(await calls.prepare()), bytes);
    else {
      for (let index = 0; index < session.chunkCount; index += 1) {
        const part = bytes.subarray(index * session.chunkSize, (index + 1) * session.chunkSize);
        await this.acknowledge(calls.putPart(index, part));
      }
    }
    open.stage = 'stored';
  }

  async #complete(open: OpenSession): Promise<void> {
    open.stage = 'completing';
    this.shelf.expect(open.name, toHash(open.bytes));
    const session = ok(await this.acknowledge(this.#calls(open.session).complete()));
    assert.equal(session.status, 'COMPLETED');
    this.shelf.add(open.name, session.fileId);
    this.#end(session);
  }

  async #cancel(open: OpenSession): Promise<void> {
    open.stage = 'cancelling';
    const session = ok(await this.acknowledge(this.#calls(open.session).cancel()));
    assert.equal(session.status, 'CANCELLED');
    this.#end(session);
  }

  #end(session: SessionRecord): void {
    this.#final = session;
    this.#open = undefined;
  }

  async #compareOpen(open: OpenSession): Promise<void> {
    const session = ok(await this.#calls(open.session).get());
    const { stage } = open;
    assert.ok(STATUSES[stage].includes(session.status), `${open.name} is ${session.status} while ${stage}`);
    if (session.status === 'COMPLETED') {
      this.shelf.expect(open.name, toHash(open.bytes));
      this.shelf.add(open.name, session.fileId);
      this.#end(session);
    } else if (session.status === 'CANCELLED') this.#end(session);
    // The bytes are stored, so only the completion is repeated.
    else if (stage === 'completing') open.stage = 'stored';
  }

  #calls({ sessionId }: SessionRecord): SessionCalls {
    return new SessionCalls(this.person, sessionId);
  }
}
