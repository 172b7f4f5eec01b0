import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { Random } from '../../../../tools/fuzz/requests/random.ts';
import { isLong } from '../../../../tools/testing/tiers.ts';
import { codeOf, familyOf, isDavUrl } from '../../../src/http/errors/error-codes.ts';
import { checkBooks } from '../checks/books.ts';
import { diagnose } from '../checks/diagnose.ts';
import { type FaultCase, nameOf, type Outcome, type ReadyRequest, type Scene } from './fault-case.ts';
import type { FaultKind } from './fault-injector.ts';
import type { Scope } from './fault-scope.ts';

/** The statuses of a request that failed because of a fault below it. */
const FAILURES = { 413: 'over-limit', 500: 'internal', 503: 'unavailable' } as const;

/** How many random points of a case the short form tests. A few hundred runs cover all of them. */
const POINTS_PER_CASE = 1;

/** Test options for one case. The long form of some cases takes minutes. */
export const CASE_OPTIONS = isLong ? { timeout: 30 * 60_000 } : {};

/** Makes one call in each request fail, and checks the consequences. */
export class Campaign {
  /** How many failures were injected. */
  points = 0;
  readonly #scene: Scene;
  readonly #scope: Scope;
  readonly #seed = randomBytes(4).readUInt32LE();
  readonly #random = new Random(this.#seed);

  constructor(scene: Scene, scope: Scope = 'requests') {
    this.#scene = scene;
    this.#scope = scope;
  }

  /** Makes each call of the request fail in each way, or in the short form only a random sample. */
  async run(t: TestContext, tested: FaultCase, kinds: readonly FaultKind[]): Promise<void> {
    const before = this.points;
    const all: { readonly kind: FaultKind; readonly call: number }[] = [];
    const counts = new Map<object, number>();
    for (const kind of kinds) {
      const count = counts.get(kind.injector) ?? (await this.#countCalls(tested, kind));
      counts.set(kind.injector, count);
      for (let call = 1; call <= count; call += 1) all.push({ kind, call });
    }
    const chosen = isLong ? all : this.#sample(all);
    for (const { kind, call } of chosen) await this.#failOnce(tested, kind, call);
    t.diagnostic(`${this.points - before} of ${all.length} points, seed ${this.#seed}`);
  }

  /** Asserts that nothing is left but unused objects, and that the books balance. */
  async finish(t: TestContext): Promise<void> {
    t.diagnostic(`${this.points} failures were injected, seed ${this.#seed}`);
    const { holdall } = this.#scene;
    const { faults } = await diagnose(holdall.app, { isDeep: true, onRepair: async () => {} });
    assert.deepEqual(
      faults.filter(({ rule }) => rule !== 'orphan'),
      [],
    );
    await checkBooks(holdall);
    assert.ok(this.points > 0);
  }

  #sample<T>(all: readonly T[]): readonly T[] {
    const rest = [...all];
    return Array.from({ length: Math.min(POINTS_PER_CASE, all.length) }, () =>
      rest.splice(this.#random.below(rest.length), 1),
    ).flat();
  }

  async #countCalls(tested: FaultCase, kind: FaultKind): Promise<number> {
    const request = await this.#prepare(tested);
    kind.arm(this.#scope);
    const outcome = await request.send();
    const { count } = kind.injector;
    kind.injector.disarm();
    await this.#assertSuccess(request, outcome, `${nameOf(tested)} without a fault`);
    return count;
  }

  async #failOnce(tested: FaultCase, kind: FaultKind, call: number): Promise<void> {
    const request = await this.#prepare(tested);
    kind.arm(this.#scope, call);
    const outcome = await request.send();
    if (kind.injector.hasFailed) this.points += 1;
    kind.injector.disarm();
    const where = `${nameOf(tested)}, call ${call}, ${kind.name}: ${outcome.status}`;
    if (outcome.status < 300 && outcome.status > 0) return await this.#assertSuccess(request, outcome, where);
    assertFailure(tested, kind, outcome, where);
    assert.ok(!kind.isOvercome(), `${where}, but the fault can be overcome`);
    const again = await request.send();
    if (again.status < 300)
      return await this.#assertSuccess(request, again, `${where}, and the same request`);
    // The failure may have come after the commit. Then the name is taken, or the thing is gone.
    const expected = [404, 409, ...(tested.repeated ?? [])];
    assert.ok(expected.includes(again.status), `${where}, and then ${again.status}`);
    const next = await this.#prepare(tested);
    await this.#assertSuccess(next, await next.send(), `${where}, and a new request`);
  }

  async #prepare(tested: FaultCase): Promise<ReadyRequest> {
    const ready = await tested.prepare(this.#scene, `n${randomBytes(6).toString('hex')}`);
    return typeof ready === 'function' ? { send: ready } : ready;
  }

  async #assertSuccess(request: ReadyRequest, outcome: Outcome, where: string): Promise<void> {
    assert.ok(outcome.status >= 200 && outcome.status < 300, `${where}: ${outcome.status}`);
    try {
      await request.check?.();
    } catch (error) {
      throw new Error(`${where}: what was acknowledged is not there`, { cause: error });
    }
  }
}

/** Asserts that the answer reports the fault, with the code of the route's family. */
function assertFailure({ route }: FaultCase, kind: FaultKind, outcome: Outcome, where: string): void {
  const { headers, code } = outcome;
  const isDownload = route.startsWith('GET ');
  if (outcome.status === 0 && isDownload) return;
  const url = route.slice(route.indexOf(' ') + 1);
  // WebDAV has its own status for a full disk (RFC 4918, section 11.5).
  const status = outcome.status === 507 && isDavUrl(url) ? 413 : outcome.status;
  assert.ok(status === 413 || status === 500 || status === 503, where);
  assert.ok(kind.statuses.includes(status), where);
  if (code !== undefined) assert.equal(code, codeOf(FAILURES[status], familyOf(url)), where);
  if (status === 503) assert.ok(Number(headers.get('retry-after')) > 0, where);
}
