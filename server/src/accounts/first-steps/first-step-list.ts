import type { Database } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import { noAccount } from '../queries.ts';
import type { LoginMethods } from '../security/login-methods.ts';
import type { FirstSteps } from './contract.ts';
import { findFirstSteps } from './queries.ts';

interface FirstStepListParts {
  readonly database: Database;
  readonly methods: LoginMethods;
}

/** The first steps with a new account. What is done follows from what there is; nothing else is stored. */
export class FirstStepList {
  readonly #parts: FirstStepListParts;

  constructor(parts: FirstStepListParts) {
    this.#parts = parts;
  }

  async get({ accountId }: Caller): Promise<FirstSteps> {
    const steps = await findFirstSteps(this.#parts.database.db, accountId, this.#parts.methods);
    if (steps === undefined) throw noAccount();
    return steps;
  }
}
