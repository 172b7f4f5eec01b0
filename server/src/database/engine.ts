import type { Dialect } from 'kysely';
import type { Columns, EngineName } from './columns.ts';
import type { Names } from './names.ts';
import type { Wire } from './notifications/notification-channel.ts';

/** The seam between the engines: all that differs, behind one narrow door. */
export interface Engine {
  readonly name: EngineName;
  readonly dialect: Dialect;
  readonly columns: Columns;
  readonly names: Names;
  /** Between the instances; undefined where there can be one only. */
  readonly wire: Wire | undefined;
  /** Resolves when everything that was committed before the call would survive a power cut. */
  flushed(): Promise<void>;
  /** The statement that makes the running transaction the only one to migrate. */
  readonly migrationLock: string | undefined;
  /** A query whose rows say what is damaged in the files of the database, or `ok`; undefined where the engine looks itself. */
  readonly damageQuery: string | undefined;
  /** Whether the same transaction may succeed when it is run again. */
  isRetryable(error: unknown): boolean;
  /** Whether the database is out of reach, as opposed to refusing. */
  isUnavailable(error: unknown): boolean;
}
