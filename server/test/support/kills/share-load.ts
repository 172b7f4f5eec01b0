import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import type { ShareSummary } from '../../../src/shares/contract.ts';
import { Person } from '../app/person.ts';
import { type LoadOptions, toHash } from './load.ts';
import { ShelfLoad } from './shelf-load.ts';

const SHARES = '/api/v2/shares';

/** The acknowledged state of a share with a budget. */
interface CountedShare {
  readonly id: number;
  readonly token: string;
  readonly maxDownloads: number;
  /** Downloads and imports that were acknowledged. */
  spent: number;
  /** The request that is running. */
  running: 'none' | 'download' | 'import' | 'removal';
}

/** Shares a file, downloads and imports it until the budget of the share is spent, and deletes the share. */
export class ShareLoad extends ShelfLoad {
  #file: (EntryRecord & { readonly hash: string }) | undefined;
  #link = '';
  #share: CountedShare | undefined;
  #lastDeleted: CountedShare | undefined;

  constructor(options: LoadOptions) {
    super(options, `${options.home}/imports`);
  }

  override async prepare(): Promise<void> {
    await this.acknowledge(this.person.mkdir(this.shelf.directory));
    const bytes = randomBytes(100_000);
    const file = await this.acknowledge(this.person.upload(`${this.home}/shared`, bytes));
    this.#file = { ...file, hash: toHash(bytes) };
    this.#link = (await this.acknowledge(this.#askForLink())).token;
  }

  protected async step(): Promise<void> {
    const share = this.#share;
    if (share === undefined) this.#share = await this.#create();
    else if (share.spent === share.maxDownloads) {
      assert.equal((await this.#fetchShared(share)).status, 410, 'a used up share can be downloaded');
      await this.#delete(share);
    } else if (share.running === 'removal' || this.random.chance(3)) await this.#delete(share);
    else if (this.random.chance(75)) await this.#download(share);
    else if (this.shelf.size > 0) {
      await this.removeOldest();
    } else await this.#import(share);
  }

  protected async compare(): Promise<void> {
    await this.shelf.check(this.person);
    assert.equal((await this.#askForLink()).token, this.#link);
    if (this.#lastDeleted !== undefined) await this.#find(this.#lastDeleted, [404]);
    if (this.#share !== undefined) await this.#compareShare(this.#share);
  }

  #askForLink(): Promise<{ readonly token: string }> {
    return this.person.ask('POST', `/api/files/${this.#file?.id}/share-links`);
  }

  async #create(): Promise<CountedShare> {
    const maxDownloads = this.random.between(1, 30);
    const body = { fileId: this.#file?.id, maxDownloads };
    const { id, token } = await this.acknowledge(this.person.ask<ShareSummary>('POST', SHARES, { body }));
    return { id, token, maxDownloads, spent: 0, running: 'none' };
  }

  async #download(share: CountedShare): Promise<void> {
    share.running = 'download';
    const response = await this.#fetchShared(share);
    const hash = toHash(new Uint8Array(await response.arrayBuffer()));
    assert.deepEqual([response.status, hash], [200, this.#file?.hash]);
    await this.acknowledge(Promise.resolve());
    share.spent += 1;
    share.running = 'none';
  }

  async #import(share: CountedShare): Promise<void> {
    share.running = 'import';
    this.shelf.expect('shared', this.#file?.hash ?? '');
    const body = { path: this.shelf.directory };
    const url = `${SHARES}/${share.token}/import`;
    const { id } = await this.acknowledge(this.person.ask<EntryRecord>('POST', url, { body }));
    this.shelf.add('shared', id);
    share.spent += 1;
    share.running = 'none';
  }

  async #delete(share: CountedShare): Promise<void> {
    share.running = 'removal';
    await this.acknowledge(this.person.ask('DELETE', `${SHARES}/${share.id}`));
    this.#lastDeleted = share;
    this.#share = undefined;
  }

  async #compareShare(share: CountedShare): Promise<void> {
    const found = await this.#find(share, share.running === 'removal' ? [200, 404] : [200]);
    if (found === undefined) {
      this.#share = undefined;
      return;
    }
    const { spent, running, maxDownloads } = share;
    const isDownload = running === 'download' && found.downloadCount === spent + 1;
    const isImport = running === 'import' && this.shelf.has('shared');
    const expected = spent + (isDownload || isImport ? 1 : 0);
    assert.deepEqual([found.downloadCount, found.maxDownloads], [expected, maxDownloads], running);
    share.spent = expected;
    share.running = 'none';
  }

  async #find({ token }: CountedShare, statuses: readonly number[]): Promise<ShareSummary | undefined> {
    const answer = await this.person.call<ShareSummary>('GET', `${SHARES}/${token}`);
    assert.ok(statuses.includes(answer.status), `the share was answered with ${answer.status}`);
    return answer.status === 200 ? answer.data : undefined;
  }

  #fetchShared({ token }: CountedShare): Promise<Response> {
    return new Person('anonymous', this.person.url).fetch('GET', `${SHARES}/${token}?download`);
  }
}
