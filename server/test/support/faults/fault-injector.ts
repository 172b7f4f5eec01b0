import type { FaultScope, Scope } from './fault-scope.ts';

/** Makes one call of many fail. A test can make each of them fail in turn. `F` says how it fails. */
export class FaultInjector<F> {
  /** The calls since `arm`. */
  count = 0;
  readonly #scope: FaultScope;
  #failAt = 0;
  #fault: F | undefined;

  constructor(scope: FaultScope) {
    this.#scope = scope;
  }

  get hasFailed(): boolean {
    return this.#fault !== undefined && this.#failAt <= this.count;
  }

  /** @param failAt the number of the call that fails, from 1; without a fault the calls are only counted */
  arm(scope: Scope, failAt = 0, fault?: F): void {
    this.count = 0;
    this.#failAt = failAt;
    this.#fault = fault;
    this.#scope.begin(scope);
  }

  disarm(): void {
    this.#scope.end();
    this.#fault = undefined;
  }

  /** Counts a call. Returns the fault to inject, if any. */
  next(): F | undefined {
    if (!this.#scope.isCounted) return undefined;
    this.count += 1;
    return this.count === this.#failAt ? this.#fault : undefined;
  }
}

/** A way in which calls fail. */
export interface FaultKind {
  readonly name: string;
  readonly injector: FaultInjector<unknown>;
  /** The statuses that a request may have when the fault makes it fail. */
  readonly statuses: readonly (413 | 500 | 503)[];
  /** Whether the service can overcome the last injected fault. If so, the request must succeed. */
  isOvercome(): boolean;
  /** Arms the injector; without `failAt` the calls are only counted. */
  arm(scope: Scope, failAt?: number): void;
}

export function listKinds<F>(
  injector: FaultInjector<F>,
  faults: Readonly<Record<string, F>>,
  statuses: FaultKind['statuses'],
  isOvercome: (fault: F) => boolean = () => false,
): readonly FaultKind[] {
  return Object.entries(faults).map(([name, fault]) => ({
    name,
    injector,
    statuses,
    isOvercome: () => isOvercome(fault),
    arm: (scope: Scope, failAt?: number) =>
      failAt === undefined ? injector.arm(scope) : injector.arm(scope, failAt, fault),
  }));
}

export function errorWithCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}
