import type { Database } from '../database/database.ts';
import type { Check, CheckProgress, Fault } from './check.ts';

/** Checks that the database files are not damaged. Only SQLite needs it: PostgreSQL checks its own files. */
export class DatabaseFileCheck implements Check {
  readonly label = 'database files';
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async *findFaults(): AsyncGenerator<CheckProgress> {
    const checked = this.#database.engine.integrityQuery === undefined ? 0 : 1;
    yield { checked, faults: (await this.#database.findDamage()).map(toFault) };
  }

  async recheck(fault: Fault): Promise<Fault | undefined> {
    return (await this.#database.findDamage()).map(toFault).find(({ id }) => id === fault.id);
  }
}

function toFault(message: string): Fault {
  return {
    rule: 'database-file',
    subject: 'database',
    id: message,
    sentence: `The database is damaged: ${message}.`,
  };
}
