import type { Role } from '../../base/domain/accounts.ts';
import type { Db } from '../../database/database.ts';
import type { LoginMethods } from './login-methods.ts';
import { findHasUsableFactor } from './queries.ts';

/** Who must have a second factor: no one, moderators and admins, or everyone. */
export type SecondFactorRule = 'off' | 'admins' | 'all';

/**
 * Decides who must set up a second factor before doing anything else. A passkey counts as one, and so does an
 * identity of single sign-on, if people can log in with them here. An account without one can log in and set
 * one up.
 */
export class SecondFactorRequirement {
  readonly #rule: SecondFactorRule;
  readonly #methods: LoginMethods;

  constructor(rule: SecondFactorRule, methods: LoginMethods) {
    this.#rule = rule;
    this.#methods = methods;
  }

  /** What counts as a second factor; undefined if none is required, so that requests need not look it up. */
  get countedMethods(): LoginMethods | undefined {
    return this.#rule === 'off' ? undefined : this.#methods;
  }

  appliesTo(role: Role): boolean {
    return this.#rule === 'all' || (this.#rule === 'admins' && role !== 'USER');
  }

  /** Whether the account must set one up. Costs a query only if the requirement applies. */
  async isUnmet(db: Db, { id, role }: { readonly id: number; readonly role: Role }): Promise<boolean> {
    return this.appliesTo(role) && !(await findHasUsableFactor(db, id, this.#methods));
  }
}
