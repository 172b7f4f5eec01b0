import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import type { TransferRecord } from '../../../src/transfer/contract.ts';
import { Person } from '../app/person.ts';
import { lookUp, type PeerSession, TRANSFERS, withToken } from '../transfer/transfer.ts';
import { toHash } from './load.ts';
import { ShelfLoad } from './shelf-load.ts';

const FILES = 2;

interface SentTransfer {
  readonly session: PeerSession;
  readonly contents: readonly Buffer<ArrayBuffer>[];
  /** The number of files acknowledged. */
  uploaded: number;
  end: 'none' | 'sent' | 'acknowledged';
}

/** Sends files as OFFLINE transfers, receives them as a stranger, imports them, and ends the transfers. */
export class TransferLoad extends ShelfLoad {
  #transfer: SentTransfer | undefined;

  protected async step(): Promise<void> {
    const transfer = this.#transfer;
    if (transfer === undefined) this.#transfer = await this.#open();
    else if (transfer.end !== 'none') await this.#end(transfer);
    else if (transfer.uploaded < FILES) await this.#send(transfer);
    else if (this.random.chance(25)) await this.#end(transfer);
    else if (this.random.chance(50)) await this.#receive(transfer);
    else if (this.isFull) await this.removeOldest();
    else await this.#import(transfer);
  }

  protected async compare(): Promise<void> {
    await this.shelf.check(this.person);
    const transfer = this.#transfer;
    if (transfer === undefined) return;
    const { status, data } = await lookUp(this.#stranger, transfer.session.pickupCode);
    if (transfer.end === 'acknowledged' || (transfer.end === 'sent' && status === 404)) {
      assert.equal(status, 404, 'a transfer that was ended can be found');
      this.#transfer = undefined;
      return;
    }
    assert.equal(status, 200, 'the transfer was acknowledged and is not there');
    const uploaded = data.files.filter((file) => file.uploaded).length;
    assert.ok(uploaded === transfer.uploaded || uploaded === transfer.uploaded + 1, `${uploaded} files`);
    assert.equal(data.status, uploaded === FILES ? 'READY' : 'UPLOADING');
    transfer.uploaded = uploaded;
    transfer.end = 'none';
    for (let index = 0; uploaded === FILES && index < FILES; index += 1)
      await this.#compareFile(transfer, index);
  }

  async #open(): Promise<SentTransfer> {
    const contents = Array.from({ length: FILES }, () => randomBytes(this.pickSize()));
    const files = contents.map(({ length }) => ({ name: this.random.word(12), size: length }));
    const body = { mode: 'OFFLINE', files };
    const session = await this.acknowledge(this.person.ask<PeerSession>('POST', TRANSFERS, { body }));
    return { session, contents, uploaded: 0, end: 'none' };
  }

  async #send(transfer: SentTransfer): Promise<void> {
    const { session, contents, uploaded } = transfer;
    const headers = { 'content-type': 'application/octet-stream' };
    const url = `${urlOf(session, uploaded)}/content`;
    const sent = this.person.ask<TransferRecord>('POST', url, { body: contents[uploaded], headers });
    const answer = await this.acknowledge(sent);
    transfer.uploaded += 1;
    assert.equal(answer.status, transfer.uploaded === FILES ? 'READY' : 'UPLOADING');
  }

  async #receive(transfer: SentTransfer): Promise<void> {
    const { data } = await lookUp(this.#stranger, transfer.session.pickupCode);
    assert.equal(data.status, 'READY');
    await this.#compareFile(transfer, this.random.below(FILES));
  }

  async #import({ session, contents }: SentTransfer): Promise<void> {
    const index = this.random.below(FILES);
    const name = session.files[index]?.name ?? '';
    if (this.shelf.has(name)) return await this.removeOldest();
    this.shelf.expect(name, toHash(contents[index] ?? assert.fail()));
    const imported = this.person.ask<EntryRecord>('POST', `${urlOf(session, index)}/import`, {
      body: { path: this.home },
    });
    this.shelf.add(name, (await this.acknowledge(imported)).id);
  }

  async #end(transfer: SentTransfer): Promise<void> {
    transfer.end = 'sent';
    const { sessionId, peerToken } = transfer.session;
    const options = withToken(peerToken);
    await this.acknowledge(this.#stranger.ask('DELETE', `${TRANSFERS}/${sessionId}`, options));
    transfer.end = 'acknowledged';
    // The transfer stays as it is until the next check.
    this.rest();
  }

  async #compareFile({ session, contents }: SentTransfer, index: number): Promise<void> {
    const response = await fetch(new URL(`${urlOf(session, index)}/download`, this.person.url));
    assert.equal(response.status, 200);
    const received = Buffer.from(await response.arrayBuffer());
    assert.ok(received.equals(contents[index] ?? Buffer.of()), 'the transfer has other bytes than were sent');
  }

  get #stranger(): Person {
    return new Person('anonymous', this.person.url);
  }
}

function urlOf({ sessionId, files }: TransferRecord, index: number): string {
  return `${TRANSFERS}/${sessionId}/files/${files[index]?.id}`;
}
