// Loaded into the process of every test file, before Node's test runner.
//
// The runner must know which test calls `test` or `after`. For that it observes every promise of the process
// with `async_hooks`, until the garbage collector has removed it, which takes a large part of the processor
// time of asynchronous code. Here an `AsyncLocalStorage` tells the runner the same, which costs almost
// nothing.
import hooks, { AsyncLocalStorage } from 'node:async_hooks';
import { isMainThread } from 'node:worker_threads';

/** The version whose runner this fits: since it, `AsyncLocalStorage` itself needs no hooks. */
const NODE_MAJOR = 24;

type Remember = (asyncId: number, type: string, triggerId: number, resource: object) => void;

if (isMainThread && Number.parseInt(process.versions.node, 10) === NODE_MAJOR) await loadRunner();

async function loadRunner(): Promise<void> {
  const { AsyncResource, createHook, executionAsyncId } = hooks;
  const running = new AsyncLocalStorage<number>();
  let remember: Remember = () => {};

  /** Takes the place of the resource as which the runner runs each test. */
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
    // The runner takes them when it is loaded.
    await import('node:test');
  } finally {
    Object.assign(hooks, { AsyncResource, createHook, executionAsyncId });
  }
}
