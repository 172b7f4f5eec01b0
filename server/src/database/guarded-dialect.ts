import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Dialect, Driver } from 'kysely';

/** Set while a transaction runs, in everything that it awaits. */
export interface OpenTransaction {
  open: boolean;
}

/**
 * The same dialect, but taking a second connection inside an open transaction throws at once. On SQLite, which has
 * one connection, it would wait for ever; on PostgreSQL it would read what the transaction has not committed.
 */
export function guardDialect(dialect: Dialect, running: AsyncLocalStorage<OpenTransaction>): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createDriver: () => guardDriver(dialect.createDriver(), running),
  };
}

function guardDriver(driver: Driver, running: AsyncLocalStorage<OpenTransaction>): Driver {
  return {
    init: () => driver.init(),
    beginTransaction: (connection, settings) => driver.beginTransaction(connection, settings),
    commitTransaction: (connection) => driver.commitTransaction(connection),
    // What broke the transaction is what the caller hears of. A connection that cannot roll back is broken too, and
    // its driver gives it up.
    rollbackTransaction: (connection) => driver.rollbackTransaction(connection).catch(() => undefined),
    releaseConnection: (connection) => driver.releaseConnection(connection),
    destroy: () => driver.destroy(),
    acquireConnection: async () => {
      if (running.getStore()?.open === true) {
        throw new Error(
          'A query on the root handle ran inside an open transaction: hand the transaction down.',
        );
      }
      return driver.acquireConnection();
    },
  };
}
