// The accounts that send the requests.
import type { Role } from './draft.ts';
import type { KnownValues } from './known-values.ts';
import { PASSWORD } from './recipes.ts';
import { parse } from './response-checks.ts';

const ACCOUNT_ROLES: Readonly<Record<Exclude<Role, 'anonymous'>, 'USER' | 'MODERATOR' | 'ADMIN'>> = {
  member: 'USER',
  'other member': 'USER',
  moderator: 'MODERATOR',
  admin: 'ADMIN',
};

/** Sends a request that is not part of the fuzzing. */
export type Ask = (method: string, url: string, body: unknown, token: string | undefined) => Promise<Buffer>;

/**
 * One account for each role. Fuzzed requests ban accounts, change their roles, passwords and quotas, and end
 * their sessions; then a role gets a new account. Dev-login creates it, because nothing that was fuzzed
 * before can prevent that.
 */
export class People {
  readonly #ask: Ask;
  readonly #known: KnownValues;
  readonly #tokens = new Map<Role, string>();
  #created = 0;

  constructor(ask: Ask, known: KnownValues) {
    this.#ask = ask;
    this.#known = known;
  }

  tokenOf(role: Role): string | undefined {
    return this.#tokens.get(role);
  }

  /** Gives the role a new account with the known password. */
  async renew(role: Role): Promise<void> {
    if (role === 'anonymous') return;
    this.#created += 1;
    const username = `${role.replace(' ', '-')}-${this.#created}`;
    const { user } = await this.#enter({ username, role: ACCOUNT_ROLES[role] });
    const keeper = await this.#enter({ username: `keeper-${this.#created}`, role: 'ADMIN' });
    await this.#ask(
      'PUT',
      `/api/admin/users/${user.id}/password`,
      { newPassword: PASSWORD },
      keeper.accessToken,
    );
    const body = await this.#ask('POST', '/api/auth/login', { username, password: PASSWORD }, undefined);
    const state = toLoginState(body);
    this.#tokens.set(role, state.accessToken);
    this.#known.forget(role);
    this.#known.add('user', 'admin', state.user);
  }

  async #enter(account: { username: string; role: string }) {
    return toLoginState(await this.#ask('POST', '/api/auth/dev-login', account, undefined));
  }
}

function toLoginState(body: Buffer): { accessToken: string; user: Record<string, unknown> & { id: number } } {
  const { data } = (parse(body) ?? {}) as { data?: ReturnType<typeof toLoginState> };
  if (data === undefined || data === null) throw new Error(`A role has no login: ${body.toString()}`);
  return data;
}
