import { once } from 'node:events';
import { after } from 'node:test';
import pg from 'pg';
import type { FaultInjector } from './fault-injector.ts';
import { outsideFaults } from './fault-scope.ts';
import { replaceMethod } from './replace-method.ts';

/** `terminated`: the server ends the connection. `cut`: the connection breaks, and the answer is lost. */
export type PostgresFault = 'terminated' | 'cut' | 'serialization failure' | 'deadlock';

export const POSTGRES_FAULTS = {
  'connection terminated before it': 'terminated',
  'connection cut before its answer': 'cut',
  'serialization failure': 'serialization failure',
  deadlock: 'deadlock',
} as const satisfies Record<string, PostgresFault>;

type Query = (...parameters: unknown[]) => unknown;

/** Makes statements of the service fail, including `begin` and `commit`. */
export function injectPostgresFaults(url: string, injector: FaultInjector<PostgresFault>): void {
  const query = pg.Client.prototype.query as Query;
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // Ignores errors: the database is dropped, and the connection with it, before the pool ends.
  pool.on('error', () => {});
  after(() => pool.end());
  replaceMethod(pg.Client.prototype, 'query', function (this: pg.Client, ...parameters: unknown[]) {
    const fault = typeof parameters.at(-1) === 'function' ? undefined : injector.next();
    if (fault === undefined) return query.apply(this, parameters);
    return fail(fault, this, () => query.apply(this, parameters), pool);
  });
}

async function fail(
  fault: PostgresFault,
  client: pg.Client,
  run: () => unknown,
  pool: pg.Pool,
): Promise<unknown> {
  switch (fault) {
    case 'terminated': {
      const { processID } = client as unknown as { processID: number };
      await outsideFaults(() => pool.query('select pg_terminate_backend($1, 5000)', [processID]));
      return await run();
    }
    case 'cut':
      await run();
      await cut(client);
      throw new Error('Connection terminated unexpectedly');
    case 'serialization failure':
      return await raise(client, '40001');
    case 'deadlock':
      return await raise(client, '40P01');
  }
}

/**
 * Resolves when the client has noticed the break. Otherwise the pool would hand the dead connection to the
 * next request.
 */
async function cut(client: pg.Client): Promise<void> {
  const noticed = once(client, 'end');
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  await noticed;
}

/** Raises a real error in the server, which aborts an open transaction. */
function raise(client: pg.Client, code: string): Promise<unknown> {
  return outsideFaults(() =>
    client.query(`do $$ begin raise exception 'injected' using errcode = '${code}'; end $$`),
  );
}
