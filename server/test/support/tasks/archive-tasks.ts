import assert from 'node:assert/strict';
import { Failure } from '../../../src/base/failure.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { Blobs } from '../../../src/blobs/blobs.ts';
import type { Tx } from '../../../src/database/database.ts';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { ArchiveJob } from '../../../src/tasks/archive/archive.ts';
import { type Attempt, type Job, JobFailure, type JsonObject } from '../../../src/tasks/engine/job.ts';
import { ExtractJob } from '../../../src/tasks/extract/extract.ts';
import type { Holdall } from '../app/holdall.ts';
import type { Person } from '../app/person.ts';
import { checkBooks } from '../checks/books.ts';

/** An attempt without a task row, which the test controls in place of the engine. */
export class TestAttempt implements Attempt {
  readonly taskId = 1;
  readonly driveId: number;
  readonly accountId: number;
  readonly entryId: number;
  readonly input = {};
  readonly end = new AbortController();
  /** The public state after each report. */
  readonly states: JsonObject[] = [];
  isLost = false;
  isCompleted = false;
  /** Called after each report. */
  onReport: (state: JsonObject) => void = () => {};
  #state: JsonObject = {};

  constructor(person: Person, entry: Pick<EntryRecord, 'id'>) {
    this.driveId = person.driveId;
    this.accountId = person.id;
    this.entryId = entry.id;
  }

  get signal(): AbortSignal {
    return this.end.signal;
  }

  get state(): JsonObject {
    return this.#state;
  }

  report(members: JsonObject): void {
    this.#state = { ...this.#state, ...members };
    this.states.push(this.#state);
    this.onReport(this.#state);
  }

  async lock(_tx: Tx): Promise<void> {
    if (this.isLost) throw new Failure('rejected', 'The task was taken over.');
  }

  async complete(tx: Tx, members: JsonObject = {}): Promise<void> {
    await this.lock(tx);
    this.report(members);
    this.isCompleted = true;
  }
}

/** Blobs that run an action of the test once, just before the next write. */
class InterruptedBlobs extends Blobs {
  beforeNextWrite: () => Promise<unknown> = async () => {};

  override async write(...parameters: Parameters<Blobs['write']>): ReturnType<Blobs['write']> {
    const { beforeNextWrite } = this;
    this.beforeNextWrite = async () => {};
    await beforeNextWrite();
    return await super.write(...parameters);
  }
}

/** The archive and extract jobs on the parts of a running service, run directly instead of by the engine. */
export class ArchiveTasks {
  readonly #holdall: Holdall;
  readonly #archive: Job;
  readonly #extract: Job;
  readonly #blobs: InterruptedBlobs;

  constructor(holdall: Holdall) {
    this.#holdall = holdall;
    const { database, drives, drive, policies } = holdall.app;
    const blobs = new InterruptedBlobs({ database, clock: holdall.clock, ids: systemIds, policies });
    this.#blobs = blobs;
    this.#archive = new ArchiveJob({ drives, drive, blobs });
    this.#extract = new ExtractJob({ database, drives, drive, blobs });
  }

  /** Runs the action once, before the next write of a job. An error that it throws reaches the job. */
  beforeNextWrite(act: () => Promise<unknown>): void {
    this.#blobs.beforeNextWrite = act;
  }

  /** Archives the entry. Returns the record of the archive. */
  async archive(person: Person, entry: EntryRecord): Promise<EntryRecord> {
    const attempt = new TestAttempt(person, entry);
    await this.runArchive(attempt);
    assert.ok(attempt.isCompleted);
    const siblings = await person.list(entry.parentPath, { size: 1_000 });
    const archive = siblings.items.find(({ filename }) => filename === `${entry.filename}.zip`);
    assert(archive, 'the archive is not there');
    return archive;
  }

  async extract(person: Person, entry: EntryRecord): Promise<TestAttempt> {
    const attempt = new TestAttempt(person, entry);
    await this.runExtract(attempt);
    assert.ok(attempt.isCompleted);
    return attempt;
  }

  runArchive(attempt: Attempt): Promise<void> {
    return this.#archive.run(attempt);
  }

  runExtract(attempt: Attempt): Promise<void> {
    return this.#extract.run(attempt);
  }

  /** Expects the run to fail with the category and message, and to change nothing. Returns the failure. */
  async expectFailure(
    person: Person,
    category: JobFailure['category'],
    message: RegExp,
    run: () => Promise<void>,
  ): Promise<JobFailure> {
    const before = await person.state();
    const failure = await failureOf(run());
    assert.match(failure.message, message);
    assert.equal(failure.category, category, failure.message);
    assert.deepEqual(await person.state(), before);
    await checkBooks(this.#holdall, { deep: false });
    return failure;
  }

  expectExtractFailure(
    person: Person,
    entry: EntryRecord,
    category: JobFailure['category'],
    message: RegExp,
  ): Promise<JobFailure> {
    return this.expectFailure(person, category, message, () =>
      this.runExtract(new TestAttempt(person, entry)),
    );
  }
}

async function failureOf(run: Promise<void>): Promise<JobFailure> {
  try {
    await run;
  } catch (error) {
    if (error instanceof JobFailure) return error;
    throw error;
  }
  return assert.fail('the task did not fail');
}

/** Reads the tree below a path: contents of files by relative path; directories end with `/`. */
export async function readTree(person: Person, path: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const record of await person.tree(path)) {
    const name = record.path.slice(path === '/' ? 1 : path.length + 1);
    if (record.directory) found[`${name}/`] = '';
    else found[name] = (await person.download(record)).toString('latin1');
  }
  return found;
}

export async function limitAccount(
  holdall: Holdall,
  person: Person,
  { quota, upload }: { readonly quota: number; readonly upload?: number },
): Promise<void> {
  await holdall.app.database.transact((tx) =>
    tx
      .updateTable('drive')
      .set({ quota_bytes: quota, ...(upload === undefined ? {} : { max_upload_bytes: upload }) })
      .where('account_id', '=', person.id)
      .execute(),
  );
}
