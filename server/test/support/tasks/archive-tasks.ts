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

/** One run of a task, as the engine would give it to a job, which the test decides about. */
export class TestAttempt implements Attempt {
  readonly taskId = 1;
  readonly ownerId: number;
  readonly entryId: number;
  readonly input = {};
  readonly end = new AbortController();
  /** The public state, every time that it was told. */
  readonly states: JsonObject[] = [];
  isLost = false;
  isCompleted = false;
  /** Hears of every report. */
  onReport: (state: JsonObject) => void = () => {};
  #state: JsonObject = {};

  constructor(person: Person, entry: Pick<EntryRecord, 'id'>) {
    this.ownerId = person.login?.user.id ?? 0;
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

/** Does what a test wants to happen while a job is at work: when it begins to write. */
class WatchedBlobs extends Blobs {
  meanwhile: () => Promise<unknown> = async () => {};

  override async write(...given: Parameters<Blobs['write']>): ReturnType<Blobs['write']> {
    const { meanwhile } = this;
    this.meanwhile = async () => {};
    await meanwhile();
    return await super.write(...given);
  }
}

/** The jobs, over what a running Holdall has. */
export class ArchiveTasks {
  readonly #holdall: Holdall;
  readonly #archive: Job;
  readonly #extract: Job;
  readonly #blobs: WatchedBlobs;

  constructor(holdall: Holdall) {
    this.#holdall = holdall;
    const { database, accounts, drive, policies } = holdall.app;
    const blobs = new WatchedBlobs({ clock: holdall.clock, ids: systemIds, policies });
    this.#blobs = blobs;
    this.#archive = new ArchiveJob({ accounts, drive, blobs });
    this.#extract = new ExtractJob({ database, accounts, drive, blobs });
  }

  /** Has it done once, when the next job begins to write, before it goes on. What it throws the job meets. */
  meanwhile(act: () => Promise<unknown>): void {
    this.#blobs.meanwhile = act;
  }

  /** Gives the record of the archive. */
  async archive(person: Person, entry: EntryRecord): Promise<EntryRecord> {
    const attempt = new TestAttempt(person, entry);
    await this.runArchive(attempt);
    assert.ok(attempt.isCompleted);
    const siblings = await person.list(entry.parentPath, { size: 1_000 });
    const made = siblings.items.find(({ filename }) => filename === `${entry.filename}.zip`);
    assert(made, 'the archive is not there');
    return made;
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

  /** The task fails like that and leaves no trace. Gives what it said. */
  async refuses(
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

  refusesExtract(
    person: Person,
    entry: EntryRecord,
    category: JobFailure['category'],
    message: RegExp,
  ): Promise<JobFailure> {
    return this.refuses(person, category, message, () => this.runExtract(new TestAttempt(person, entry)));
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

/** A drive's tree below a path: names of directories with `/`, contents of files. */
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
      .updateTable('account')
      .set({ storage_quota_bytes: quota, ...(upload === undefined ? {} : { max_upload_size_bytes: upload }) })
      .where('username', '=', person.username)
      .execute(),
  );
}
