import type { Role } from '../../base/domain/accounts.ts';
import type { Db } from '../../database/database.ts';
import { hasSecondFactor } from './queries.ts';

/** Who must have a second factor: nobody, moderators and admins, or everybody. */
export type SecondFactorRule = 'off' | 'admins' | 'all';

/**
 * Who must have a second factor before anything else. A passkey counts as one, and so does an identity of single
 * sign-on. An account without one can log in and set one up.
 */
export class SecondFactorRequirement {
  readonly #rule: SecondFactorRule;

  constructor(rule: SecondFactorRule) {
    this.#rule = rule;
  }

  /** Whether it applies to anybody. Otherwise requests need not find out what accounts have. */
  get isOn(): boolean {
    return this.#rule !== 'off';
  }

  appliesTo(role: Role): boolean {
    return this.#rule === 'all' || (this.#rule === 'admins' && role !== 'USER');
  }

  /** Whether the account must set one up. Costs a query only where the requirement applies. */
  async isUnmet(db: Db, { id, role }: { readonly id: number; readonly role: Role }): Promise<boolean> {
    return this.appliesTo(role) && !(await hasSecondFactor(db, id));
  }
}
