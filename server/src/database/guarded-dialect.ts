import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Dialect, Driver } from 'kysely';

/** Marks the asynchronous context of a transaction: `open` is true while the transaction runs. */
export interface OpenTransaction {
  open: boolean;
}

/**
 * The same dialect, except that code running inside a transaction cannot query outside of it: such a query
 * throws. On SQLite, which has one connection, such a query would wait forever; on PostgreSQL it would use
 * another connection and miss what the transaction has written.
 */
export function guardDialect(dialect: Dialect, current: AsyncLocalStorage<OpenTransaction>): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createDriver: () => guardDriver(dialect.createDriver(), current),
  };
}

function guardDriver(driver: Driver, current: AsyncLocalStorage<OpenTransaction>): Driver {
  return {
    init: () => driver.init(),
    beginTransaction: (connection, settings) => driver.beginTransaction(connection, settings),
    commitTransaction: (connection) => driver.commitTransaction(connection),
    // The caller gets the error that made the transaction fail, not the one from a failed rollback. A
    // connection that cannot roll back is broken, and its driver discards it.
    rollbackTransaction: (connection) => driver.rollbackTransaction(connection).catch(() => undefined),
    releaseConnection: (connection) => driver.releaseConnection(connection),
    destroy: () => driver.destroy(),
    acquireConnection: async () => {
      if (current.getStore()?.open === true) {
        throw new Error(
          'A query on the root handle ran inside an open transaction. Pass the transaction to the function.',
        );
      }
      return driver.acquireConnection();
    },
  };
}
