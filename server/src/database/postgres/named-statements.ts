import type { PoolClient } from 'pg';
import { nameOfCompiled } from '../compiled-once.ts';

/**
 * Lets PostgreSQL parse and plan the statements that run for nearly every request once for each connection: those of
 * {@link CompiledOnce}. They find or insert single rows, or read one page of an index, so one plan is right for all
 * values.
 */
export function nameHotStatements(client: PoolClient): void {
  const query: (...args: unknown[]) => unknown = client.query.bind(client);
  const queryByName = (text: unknown, values: unknown, ...more: unknown[]) => {
    const name = typeof text === 'string' ? nameOfCompiled(text) : undefined;
    return name === undefined ? query(text, values, ...more) : query({ name, text, values });
  };
  client.query = queryByName as typeof client.query;
}
