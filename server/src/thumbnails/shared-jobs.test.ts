// tier: default
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FairSemaphore } from '../base/concurrency/fair-semaphore.ts';
import { Failure } from '../base/failure.ts';
import { SharedJobs } from './shared-jobs.ts';

const PERMITS = 2;

/** Work that ends when the test says so. */
class Stage {
  readonly jobs: SharedJobs<string>;
  /** The keys whose work has begun, in order. */
  readonly begun: string[] = [];
  /** The results in the order in which the callers got them. */
  readonly got: string[] = [];
  readonly #running = new Map<string, PromiseWithResolvers<string>>();

  constructor({ maxWaiting = 100 } = {}) {
    this.jobs = new SharedJobs(new FairSemaphore(PERMITS, maxWaiting, PERMITS));
  }

  get running(): readonly string[] {
    return [...this.#running.keys()];
  }

  async ask(key: string, requester = 'a', signal = new AbortController().signal): Promise<string> {
    const result = await this.jobs.run(key, requester, () => this.#work(key), signal);
    this.got.push(`${requester}: ${result}`);
    return result;
  }

  /** Finishes the work for a key, and waits until all work that can begin has begun. */
  async finish(key: string): Promise<void> {
    const work = this.#running.get(key) ?? assert.fail(`${key} does not run`);
    this.#running.delete(key);
    work.resolve(`of ${key}`);
    await nextTurn();
  }

  async fail(key: string, error: Error): Promise<void> {
    const work = this.#running.get(key) ?? assert.fail(`${key} does not run`);
    this.#running.delete(key);
    work.reject(error);
    await nextTurn();
  }

  async finishAll(): Promise<void> {
    for (let [key] = this.#running.keys(); key !== undefined; [key] = this.#running.keys()) {
      await this.finish(key);
    }
  }

  #work(key: string): Promise<string> {
    assert.ok(!this.#running.has(key), `${key} runs twice`);
    const work = Promise.withResolvers<string>();
    this.begun.push(key);
    this.#running.set(key, work);
    assert.ok(this.#running.size <= PERMITS, `${this.running} run at the same time`);
    return work.promise;
  }
}

describe('a shared job', () => {
  test('runs once for everyone who asks at the same time, and again for later requests', async () => {
    const stage = new Stage();
    const asked = ['a', 'b', 'c'].map((requester) => stage.ask('x', requester));
    await nextTurn();
    const late = stage.ask('x', 'late');
    await stage.finish('x');
    assert.deepEqual(await Promise.all([...asked, late]), ['of x', 'of x', 'of x', 'of x']);
    assert.deepEqual([stage.begun, stage.jobs.size], [['x'], 0]);
    const again = stage.ask('x');
    await nextTurn();
    await stage.finish('x');
    assert.deepEqual([await again, stage.begun], ['of x', ['x', 'x']]);
  });

  test('that is last for one requester runs in the earlier turn of another requester', async () => {
    const stage = new Stage();
    const keys = Array.from({ length: 50 }, (_, index) => `${index}`);
    const all = keys.map((key) => stage.ask(key, 'a'));
    const own = stage.ask('49', 'b');
    await nextTurn();
    await stage.finish('0');
    await stage.finish('1');
    assert.deepEqual(stage.begun, ['0', '1', '2', '49']);
    await stage.finish('49');
    assert.equal(await own, 'of 49');
    assert.deepEqual(stage.got, ['a: of 0', 'a: of 1', 'a: of 49', 'b: of 49']);
    await stage.finishAll();
    await Promise.all(all);
    assert.deepEqual([stage.begun.length, stage.jobs.waitingCount, stage.jobs.size], [50, 0, 0]);
  });

  test('occupies only one permit, even if many requesters wait for it', async () => {
    const stage = new Stage();
    const asked = Array.from({ length: 10 }, (_, index) => stage.ask('x', `${index}`));
    await nextTurn();
    const other = stage.ask('y', 'other');
    await nextTurn();
    assert.deepEqual([stage.running, stage.jobs.waitingCount], [['x', 'y'], 0]);
    await stage.finishAll();
    await Promise.all([...asked, other]);
  });

  test('keeps its permit until its work has ended, even if all callers have left', async () => {
    const stage = new Stage();
    const leaving = new AbortController();
    const left = ['x', 'y'].map((key) => assert.rejects(stage.ask(key, 'a', leaving.signal), /gone/));
    await nextTurn();
    leaving.abort(new Error('gone'));
    await Promise.all(left);
    const next = ['z', 'x'].map((key) => stage.ask(key, 'b'));
    await nextTurn();
    // The work for x continues, and the new request joins it.
    assert.deepEqual([stage.running, stage.jobs.waitingCount], [['x', 'y'], 1]);
    await stage.finishAll();
    assert.deepEqual(
      [await Promise.all(next), stage.begun],
      [
        ['of z', 'of x'],
        ['x', 'y', 'z'],
      ],
    );
  });

  test('tells all waiting callers why it failed', async () => {
    const stage = new Stage();
    const asked = ['a', 'b'].map((requester) => assert.rejects(stage.ask('x', requester), /broken/));
    await nextTurn();
    await stage.fail('x', new Error('broken'));
    await Promise.all(asked);
    assert.equal(stage.jobs.size, 0);
  });
});

describe('a caller who leaves', () => {
  test('does not affect others who wait in the same turn', async () => {
    const stage = new Stage();
    const asked = ['1', '2'].map((key) => stage.ask(key));
    const leaving = new AbortController();
    const first = stage.ask('x', 'a', leaving.signal);
    const second = stage.ask('x');
    leaving.abort(new Error('gone'));
    await assert.rejects(first, /gone/);
    assert.equal(stage.jobs.waitingCount, 1);
    await stage.finishAll();
    assert.deepEqual(await Promise.all([...asked, second]), ['of 1', 'of 2', 'of x']);
  });

  test('gives up a turn without other callers, while another requester keeps its turn', async () => {
    const stage = new Stage();
    const asked = ['1', '2'].map((key) => stage.ask(key));
    const leaving = new AbortController();
    const gone = assert.rejects(stage.ask('x', 'a', leaving.signal), /gone/);
    const other = stage.ask('x', 'b');
    assert.equal(stage.jobs.waitingCount, 2);
    leaving.abort(new Error('gone'));
    await gone;
    assert.equal(stage.jobs.waitingCount, 1);
    const back = stage.ask('x', 'a');
    assert.equal(stage.jobs.waitingCount, 2);
    await stage.finishAll();
    assert.deepEqual(await Promise.all([...asked, other, back]), ['of 1', 'of 2', 'of x', 'of x']);
    assert.deepEqual(stage.begun, ['1', '2', 'x']);
  });

  test('at the moment when the turn comes does not start the work', async () => {
    const stage = new Stage();
    const leaving = new AbortController();
    const gone = assert.rejects(stage.ask('x', 'a', leaving.signal), /gone/);
    leaving.abort(new Error('gone'));
    await gone;
    await nextTurn();
    assert.deepEqual([stage.begun, stage.jobs.size], [[], 0]);
    await assert.rejects(stage.ask('x', 'a', AbortSignal.abort(new Error('gone'))), /gone/);
    assert.deepEqual([stage.begun, stage.jobs.size], [[], 0]);
  });
});

test('if too many turns wait, those of the requester with the most turns are rejected first', async () => {
  const stage = new Stage({ maxWaiting: 3 });
  const asked = ['1', '2', '3', '4', '5'].map((key) => stage.ask(key, 'a'));
  const [, , , , last] = asked;
  const isTooMany = (error: unknown) => error instanceof Failure && error.kind === 'too-many';
  const refused = assert.rejects(last ?? assert.fail(), isTooMany);
  const other = stage.ask('x', 'b');
  await refused;
  await nextTurn();
  assert.equal(stage.jobs.waitingCount, 3);
  await stage.finishAll();
  assert.deepEqual(await Promise.all([...asked.slice(0, 4), other]), [
    'of 1',
    'of 2',
    'of 3',
    'of 4',
    'of x',
  ]);
  assert.equal(stage.jobs.size, 0);
});
