import type { Database } from '../database/database.ts';
import type { Check, Fault, Progress } from './check.ts';

/** Whether the files of the database are whole. Only SQLite leaves that to us. */
export class DamageCheck implements Check {
  readonly looksAt = 'database files';
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async *find(): AsyncGenerator<Progress> {
    const looked = this.#database.engine.integrityQuery === undefined ? 0 : 1;
    yield { looked, faults: (await this.#database.findDamage()).map(toFault) };
  }

  async lookAgain(fault: Fault): Promise<Fault | undefined> {
    return (await this.#database.findDamage()).map(toFault).find(({ id }) => id === fault.id);
  }

  isMendable(): boolean {
    return false;
  }

  async mend(): Promise<boolean> {
    return false;
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
