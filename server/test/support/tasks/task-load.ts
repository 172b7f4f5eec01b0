import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TaskRecord } from '../../../src/tasks/contract.ts';
import type { Instances } from '../app/instances.ts';
import type { Person } from '../app/person.ts';
import { isBrokenConnection } from '../drive/drive-worker.ts';
import {
  KINDS,
  type Material,
  prepareWork,
  showsOutput,
  storeMaterial,
  type Work,
  type WorkKind,
} from './task-works.ts';
import { cancelTask, getTask, listTasks, queueTask, retryTask } from './tasks.ts';

const MOST_LIVE = 5;
const BETWEEN_STEPS_MS = 20;

/** Somebody who queues, cancels, tries again and looks, at random, at instances that die. */
export class TaskLoad {
  readonly works: Work[] = [];
  /** Prepared, and perhaps not: nothing was heard of it. */
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
    const there = await instances.admit(person);
    return new TaskLoad(person, instances, await storeMaterial(there));
  }

  get liveCount(): number {
    return this.works.filter(isLive).length;
  }

  /** Until {@link rest} is called. */
  async work(): Promise<void> {
    while (!this.#isResting) {
      await this.#step();
      await sleep(BETWEEN_STEPS_MS);
    }
  }

  rest(): void {
    this.#isResting = true;
  }

  async #step(): Promise<void> {
    const dice = randomInt(10);
    if (this.liveCount < MOST_LIVE && dice < 6) return await this.#begin(pick(KINDS));
    const live = this.works.filter(isLive);
    if (dice === 6) return await this.#with(live, (work) => this.#cancel(work));
    const failed = this.works.filter(({ status }) => status === 'FAILED');
    if (dice === 7) return await this.#with(failed, (work) => this.#retry(work));
    await this.#with(live.length > 0 ? live : this.works, (work) => this.#look(work));
  }

  async #begin(kind: WorkKind): Promise<void> {
    this.#count += 1;
    const home = `/home-${this.#count}`;
    const source = await this.#ask((person) => prepareWork(person, kind, home, this.#material));
    if (source === undefined) return void this.lostHomes.push(home);
    for (;;) {
      // Asked again after a broken connection, it is the same task by its id.
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
    assert.ok(task, 'a picture has no task of its own');
    return task;
  }

  async #cancel(work: Work): Promise<void> {
    const task = await this.#ask((person) => cancelTask(person, { id: work.taskId }));
    if (task === undefined) return;
    hear(work, task);
    await this.#look(work);
  }

  async #retry(work: Work): Promise<void> {
    const task = await this.#ask((person) => retryTask(person, { id: work.taskId }));
    if (task !== undefined) hear(work, task);
  }

  /** Output is there from the end of the task on, and not before. */
  async #look(work: Work): Promise<void> {
    const before = work.status;
    await this.#ask(async (person) => {
      const isThere = await showsOutput(person, work);
      hear(work, await getTask(person, { id: work.taskId }));
      if (before === 'COMPLETED') assert.ok(isThere, `${work.home} is completed and shows nothing`);
      if (work.status !== 'COMPLETED') assert.ok(!isThere, `${work.home} is ${work.status} and shows output`);
    });
  }

  async #with(works: readonly Work[], act: (work: Work) => Promise<void>): Promise<void> {
    if (works.length > 0) await act(pick(works));
  }

  /** At any door; undefined where the connection broke. */
  async #ask<T>(act: (person: Person) => Promise<T>): Promise<T | undefined> {
    try {
      return await act(await this.#instances.admit(this.#person));
    } catch (error) {
      if (isBrokenConnection(error)) return undefined;
      throw error;
    }
  }
}

export function hear(work: Work, { status }: Pick<TaskRecord, 'status'>): void {
  if (work.status === 'COMPLETED' || work.status === 'CANCELLED') assert.equal(status, work.status);
  work.status = status;
}

function isLive({ status }: Work): boolean {
  return status === 'QUEUED' || status === 'RUNNING';
}

function pick<T>(all: readonly T[]): T {
  // The caller has at least one.
  return all[randomInt(all.length)] as T;
}
