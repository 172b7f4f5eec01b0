// Loaded into the process of every test file, before Node's test runner.
//
// The runner must know which test calls `test` or `after`. To find out, it observes every promise of the
// process with `async_hooks` until the promise is garbage collected. That takes a large part of the processor
// time of asynchronous code. This file gives the runner the same information from an `AsyncLocalStorage`,
// which costs almost nothing.
import hooks, { AsyncLocalStorage } from 'node:async_hooks';
import { isMainThread } from 'node:worker_threads';

/** This fits the runner of this version. Since then, `AsyncLocalStorage` itself needs no hooks. */
const NODE_MAJOR = 24;

type Remember = (asyncId: number, type: string, triggerId: number, resource: object) => void;

if (isMainThread && Number.parseInt(process.versions.node, 10) === NODE_MAJOR) await loadRunner();

async function loadRunner(): Promise<void> {
  const { AsyncResource, createHook, executionAsyncId } = hooks;
  const running = new AsyncLocalStorage<number>();
  let remember: Remember = () => {};

  /** Replaces the async resource in which the runner runs each test. */
  class RunnerResource extends AsyncResource {
    override runInAsyncScope<This, Result>(
      work: (this: This, ...args: unknown[]) => Result,
      thisArg?: This,
      ...args: unknown[]
    ): Result {
      remember(this.asyncId(), this.constructor.name, 0, this);
      const run = () => running.run(this.asyncId(), () => Reflect.apply(work, thisArg, args));
      return super.runInAsyncScope(run);
    }
  }

  const replaced = {
    AsyncResource: RunnerResource,
    createHook: ({ init }: { readonly init: Remember }) => {
      remember = init;
      return { enable: () => {}, disable: () => {} };
    },
    executionAsyncId: () => running.getStore() ?? executionAsyncId(),
  };
  Object.assign(hooks, replaced);
  try {
    // The runner reads the replaced functions when it is loaded.
    await import('node:test');
  } finally {
    Object.assign(hooks, { AsyncResource, createHook, executionAsyncId });
  }
}
