import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import type { TaskRecord } from '../../../src/tasks/contract.ts';
import {
  checkHome,
  hasOutput,
  KINDS,
  type Material,
  prepareWork,
  storeMaterial,
  type Work,
  type WorkKind,
} from '../tasks/task-works.ts';
import { cancelTask, getTask, listTasks, queueTask } from '../tasks/tasks.ts';
import { Load } from './load.ts';

const MAX_WORKS = 4;
const LOOK_INTERVAL_MS = 10;

/** The work that a task is about to be queued for. */
interface PreparedWork {
  readonly kind: WorkKind;
  readonly home: string;
  readonly source: EntryRecord;
}

/** Queues tasks that archive, extract and read pictures, cancels and retries them, and looks at their output. */
export class TaskLoad extends Load {
  #material: Material | undefined;
  #prepared: PreparedWork | undefined;
  #works: readonly Work[] = [];
  #count = 0;

  clearReads(): void {}

  override async prepare(): Promise<void> {
    await super.prepare();
    this.#material = await this.acknowledge(storeMaterial(this.person, this.home));
  }

  protected async step(): Promise<void> {
    if (this.#prepared !== undefined) return await this.#queue(this.#prepared);
    const done = this.#works.find(({ status }) => status === 'COMPLETED' || status === 'CANCELLED');
    if (done !== undefined) return await this.#finish(done);
    if (this.#works.length < MAX_WORKS) {
      this.#prepared = await this.#begin(this.random.pick(KINDS));
      return;
    }
    const work = this.random.pick(this.#works);
    if (work.status === 'FAILED') await this.#retry(work);
    else if (this.random.chance(3)) await this.#cancel(work);
    else {
      await this.#checkProgress(work);
      await sleep(LOOK_INTERVAL_MS);
    }
  }

  protected async compare(): Promise<void> {
    for (const work of this.#works) await this.#checkProgress(work);
  }

  async #begin(kind: WorkKind): Promise<PreparedWork> {
    this.#count += 1;
    const home = `${this.home}/work-${this.#count}`;
    const material = this.#material ?? assert.fail('prepare() comes first');
    return { kind, home, source: await this.acknowledge(prepareWork(this.person, kind, home, material)) };
  }

  /** After a broken connection, the same correlation id returns the same task. */
  async #queue(prepared: PreparedWork): Promise<void> {
    const { id, status } = await this.acknowledge(this.#askForTask(prepared));
    this.#works = [...this.#works, { ...prepared, taskId: id, status }];
    this.#prepared = undefined;
  }

  async #askForTask({ kind, home, source }: PreparedWork): Promise<TaskRecord> {
    if (kind !== 'picture') {
      return await queueTask(this.person, source, {
        type: kind === 'pack' ? 'EXTRACT' : 'ARCHIVE',
        correlationId: home,
      });
    }
    const { items } = await listTasks(this.person, '?size=100');
    const task = items.find(({ correlationId }) => correlationId === `media-meta:auto:${source.id}`);
    return task ?? assert.fail('no task was queued for the picture');
  }

  async #cancel(work: Work): Promise<void> {
    update(work, await this.acknowledge(cancelTask(this.person, { id: work.taskId })));
  }

  async #retry(work: Work): Promise<void> {
    const { status, data } = await this.acknowledge(
      this.person.call<TaskRecord | null>('POST', `/api/v2/tasks/${work.taskId}/retry`),
    );
    if (data !== null) return update(work, data);
    // An interrupted request may have queued it again.
    assert.equal(status, 400);
    await this.#checkProgress(work);
  }

  /** Checks that the output exists if the task has completed, and no part of it before. */
  async #checkProgress(work: Work): Promise<void> {
    const before = work.status;
    const isThere = await hasOutput(this.person, work);
    const task = await getTask(this.person, { id: work.taskId });
    update(work, task);
    if (before === 'COMPLETED') assert.ok(isThere, `${work.home} is completed but has no output`);
    if (task.status !== 'COMPLETED') assert.ok(!isThere, `${work.home} is ${task.status} but has output`);
    if (task.status === 'FAILED') {
      assert.equal(task.failureCategory, 'TRANSIENT_INFRASTRUCTURE', String(task.errorMessage));
    }
  }

  /** Reads the whole output, and makes room for the next work. */
  async #finish(work: Work): Promise<void> {
    await checkHome(this.person, work, work.status === 'COMPLETED');
    this.#works = this.#works.filter((other) => other !== work);
    const { items } = await this.person.list(this.home, { size: 1_000 });
    const entry = items.find(({ path }) => path === work.home) ?? assert.fail(`${work.home} is not there`);
    await this.acknowledge(this.person.recycle(entry));
    await this.acknowledge(this.person.purge(entry));
  }
}

function update(work: Work, { status }: Pick<TaskRecord, 'status'>): void {
  if (work.status === 'COMPLETED' || work.status === 'CANCELLED') assert.equal(status, work.status);
  work.status = status;
}
