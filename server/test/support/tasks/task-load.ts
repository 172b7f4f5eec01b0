import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TaskRecord } from '../../../src/tasks/contract.ts';
import type { Instances } from '../app/instances.ts';
import type { Person } from '../app/person.ts';
import { isBrokenConnection } from '../drive/drive-worker.ts';
import {
  hasOutput,
  KINDS,
  type Material,
  prepareWork,
  storeMaterial,
  type Work,
  type WorkKind,
} from './task-works.ts';
import { cancelTask, getTask, listTasks, queueTask, retryTask } from './tasks.ts';

const MAX_LIVE = 5;
const STEP_INTERVAL_MS = 20;

/** Queues, cancels, retries and checks tasks at random, on instances that are being killed. */
export class TaskLoad {
  readonly works: Work[] = [];
  /** Directories with unknown content, because their preparation was interrupted. */
  readonly lostHomes: string[] = [];
  readonly #person: Person;
  readonly #instances: Instances;
  readonly #material: Material;
  #count = 0;
  #isResting = false;

  private constructor(person: Person, instances: Instances, material: Material) {
    this.#person = person;
    this.#instances = instances;
    this.#material = material;
  }

  static async open(person: Person, instances: Instances): Promise<TaskLoad> {
    const admitted = await instances.admit(person);
    return new TaskLoad(person, instances, await storeMaterial(admitted));
  }

  get liveCount(): number {
    return this.works.filter(isLive).length;
  }

  /** Works until {@link rest} is called. */
  async work(): Promise<void> {
    while (!this.#isResting) {
      await this.#step();
      await sleep(STEP_INTERVAL_MS);
    }
  }

  rest(): void {
    this.#isResting = true;
  }

  async #step(): Promise<void> {
    const dice = randomInt(10);
    if (this.liveCount < MAX_LIVE && dice < 6) return await this.#begin(pick(KINDS));
    const live = this.works.filter(isLive);
    if (dice === 6) return await this.#with(live, (work) => this.#cancel(work));
    const failed = this.works.filter(({ status }) => status === 'FAILED');
    if (dice === 7) return await this.#with(failed, (work) => this.#retry(work));
    await this.#with(live.length > 0 ? live : this.works, (work) => this.#checkOutput(work));
  }

  async #begin(kind: WorkKind): Promise<void> {
    this.#count += 1;
    const home = `/home-${this.#count}`;
    const source = await this.#ask((person) => prepareWork(person, kind, home, this.#material));
    if (source === undefined) return void this.lostHomes.push(home);
    for (;;) {
      // After a broken connection, the same correlation id returns the same task.
      const task = await this.#ask((person) => this.#queue(person, { kind, source, home }));
      if (task === undefined) continue;
      this.works.push({ kind, home, source, taskId: task.id, status: task.status });
      return;
    }
  }

  async #queue(
    person: Person,
    { kind, source, home }: Pick<Work, 'kind' | 'source' | 'home'>,
  ): Promise<TaskRecord> {
    if (kind !== 'picture') {
      return await queueTask(person, source, {
        type: kind === 'pack' ? 'EXTRACT' : 'ARCHIVE',
        correlationId: home,
      });
    }
    const { items } = await listTasks(person, '?size=20');
    const task = items.find(({ correlationId }) => correlationId === `media-meta:auto:${source.id}`);
    assert.ok(task, 'no task was queued for the image');
    return task;
  }

  async #cancel(work: Work): Promise<void> {
    const task = await this.#ask((person) => cancelTask(person, { id: work.taskId }));
    if (task === undefined) return;
    updateStatus(work, task);
    await this.#checkOutput(work);
  }

  async #retry(work: Work): Promise<void> {
    const task = await this.#ask((person) => retryTask(person, { id: work.taskId }));
    if (task !== undefined) updateStatus(work, task);
  }

  /** Asserts that the output exists exactly if the task has completed. */
  async #checkOutput(work: Work): Promise<void> {
    const before = work.status;
    await this.#ask(async (person) => {
      const isThere = await hasOutput(person, work);
      updateStatus(work, await getTask(person, { id: work.taskId }));
      if (before === 'COMPLETED') assert.ok(isThere, `${work.home} is completed but has no output`);
      if (work.status !== 'COMPLETED') assert.ok(!isThere, `${work.home} is ${work.status} but has output`);
    });
  }

  async #with(works: readonly Work[], act: (work: Work) => Promise<void>): Promise<void> {
    if (works.length > 0) await act(pick(works));
  }

  /** Sends a request to any instance; undefined if the connection broke. */
  async #ask<T>(act: (person: Person) => Promise<T>): Promise<T | undefined> {
    try {
      return await act(await this.#instances.admit(this.#person));
    } catch (error) {
      if (isBrokenConnection(error)) return undefined;
      throw error;
    }
  }
}

export function updateStatus(work: Work, { status }: Pick<TaskRecord, 'status'>): void {
  if (work.status === 'COMPLETED' || work.status === 'CANCELLED') assert.equal(status, work.status);
  work.status = status;
}

function isLive({ status }: Work): boolean {
  return status === 'QUEUED' || status === 'RUNNING';
}

function pick<T>(all: readonly T[]): T {
  // Callers never pass an empty array.
  return all[randomInt(all.length)] as T;
}
