// tier: default
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Failure } from '../failure.ts';
import { FairSemaphore } from './fair-semaphore.ts';

/** Runs work that ends when the test says so, and records when it starts. */
class Stage {
  readonly started: string[] = [];
  readonly rejected: string[] = [];
  readonly #semaphore: FairSemaphore;
  readonly #ends = new Map<string, () => void>();

  constructor(permits: number, maxWaiting = 100, permitsPerKey = 1) {
    this.#semaphore = new FairSemaphore(permits, maxWaiting, permitsPerKey);
  }

  get waitingCount(): number {
    return this.#semaphore.waitingCount;
  }

  /** Asks for a turn. The key of the work is the part of its name before the digits. */
  ask(name: string, goesFirst = false): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const work = () => {
      this.started.push(name);
      this.#ends.set(name, resolve);
      return promise;
    };
    this.#semaphore.run(name.replace(/\d+$/, ''), work, goesFirst).catch((error: unknown) => {
      assert(error instanceof Failure && error.kind === 'too-many');
      this.rejected.push(name);
    });
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)?.();
    await nextTurn();
  }

  /** Ends running work in the order of its start until none is left. */
  async endAll(): Promise<readonly string[]> {
    for (let index = 0; index < this.started.length; index += 1) await this.end(this.started[index] ?? '');
    return this.started;
  }
}

describe('a fair semaphore', () => {
  test('runs one piece of work per key at a time, and other keys at the same time', async () => {
    const stage = new Stage(2);
    for (const name of ['a1', 'a2', 'b1', 'c1']) stage.ask(name);
    await nextTurn();
    assert.deepEqual(stage.started, ['a1', 'b1']);
    await stage.end('b1');
    assert.deepEqual(stage.started, ['a1', 'b1', 'c1']);
    await stage.end('c1');
    assert.deepEqual(stage.started, ['a1', 'b1', 'c1'], 'the key of a2 is running');
    await stage.end('a1');
    assert.deepEqual(stage.started, ['a1', 'b1', 'c1', 'a2']);
  });

  test('lets keys take turns', async () => {
    const stage = new Stage(1);
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) stage.ask(name);
    await nextTurn();
    assert.deepEqual(await stage.endAll(), ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  test('lets a new key start after one piece of work of each other key, however many wait', async () => {
    const stage = new Stage(1);
    for (let index = 1; index <= 90; index += 1) stage.ask(`flood${index}`);
    stage.ask('login1');
    await nextTurn();
    await stage.end('flood1');
    await stage.end('flood2');
    assert.deepEqual(stage.started, ['flood1', 'flood2', 'login1']);
  });

  test('starts urgent work of a key before its other work, in the order of arrival', async () => {
    const stage = new Stage(1);
    for (const name of ['a1', 'a2', 'a3']) stage.ask(name);
    for (const name of ['a4', 'a5']) stage.ask(name, true);
    await nextTurn();
    assert.deepEqual(await stage.endAll(), ['a1', 'a4', 'a5', 'a2', 'a3']);
  });

  test('rejects the last work of the key with the most when too much waits', async () => {
    const stage = new Stage(1, 3);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) stage.ask(name);
    await nextTurn();
    assert.deepEqual(stage.rejected, ['a5']);
    stage.ask('b1');
    await nextTurn();
    assert.deepEqual(stage.rejected, ['a5', 'a4']);
    stage.ask('a6', true);
    await nextTurn();
    assert.deepEqual(stage.rejected, ['a5', 'a4', 'a3'], 'not the urgent one');
    assert.equal(stage.waitingCount, 3);
    assert.deepEqual(await stage.endAll(), ['a1', 'a6', 'b1', 'a2']);
    assert.equal(stage.waitingCount, 0);
  });

  test('may give a key several permits, and others still take turns with it', async () => {
    const stage = new Stage(2, 100, 2);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) stage.ask(name);
    await nextTurn();
    assert.deepEqual(stage.started, ['a1', 'a2']);
    await stage.end('a1');
    await stage.end('a2');
    assert.deepEqual(stage.started, ['a1', 'a2', 'a3', 'b1']);
    assert.deepEqual(await stage.endAll(), ['a1', 'a2', 'a3', 'b1', 'a4']);
  });

  test('removes waiting work whose signal aborts, but does not stop running work', async () => {
    const semaphore = new FairSemaphore(1, 10);
    const { promise, resolve } = Promise.withResolvers<string>();
    const [running, waiting] = [new AbortController(), new AbortController()];
    const first = semaphore.run('a', () => promise, false, running.signal);
    const second = semaphore.run('b', async () => 'two', false, waiting.signal);
    const third = semaphore.run('b', async () => 'three');
    await nextTurn();
    for (const each of [running, waiting]) each.abort(new Error('gone'));
    await assert.rejects(second, /gone/);
    assert.equal(semaphore.waitingCount, 1);
    resolve('one');
    assert.deepEqual(await Promise.all([first, third]), ['one', 'three']);
    await assert.rejects(
      semaphore.run('a', async () => 'four', false, running.signal),
      /gone/,
    );
  });

  test('releases the permit when the work fails', async () => {
    const semaphore = new FairSemaphore(1, 1);
    await assert.rejects(
      semaphore.run('a', () => Promise.reject(new Error('failed'))),
      /failed/,
    );
    assert.equal(await semaphore.run('a', async () => 'done'), 'done');
  });
});
