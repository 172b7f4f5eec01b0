// The accounts that send the requests.
import { EXAMPLE } from '../../server/src/http/examples.ts';
import type { Role } from './requests/draft.ts';
import type { KnownValues } from './requests/known-values.ts';
import { parse } from './response-checks.ts';

const ACCOUNT_ROLES: Readonly<Record<Exclude<Role, 'anonymous'>, 'USER' | 'MODERATOR' | 'ADMIN'>> = {
  member: 'USER',
  'other member': 'USER',
  moderator: 'MODERATOR',
  admin: 'ADMIN',
};

const ACCOUNT_DEFAULTS = '/api/admin/settings/registration/account-defaults';

/** Null means the configured value. */
const CONFIGURED_DEFAULTS = {
  defaultStorageQuotaBytes: null,
  defaultMaxUploadSizeBytes: null,
  defaultMaxEntries: null,
  defaultDirectories: null,
};

/** Sends a request that is not part of the fuzzing. */
type Ask = (method: string, url: string, body: unknown, token: string | undefined) => Promise<Buffer>;

/**
 * One account per role. Fuzzed requests ban accounts, change their roles, passwords and quotas, and end their
 * sessions. The role then logs in again or, if that is impossible, gets a new account. Dev-login creates it,
 * because no fuzzed request can prevent that.
 */
export class People {
  readonly #ask: Ask;
  readonly #known: KnownValues;
  readonly #logins = new Map<Role, Login>();
  #created = 0;

  constructor(ask: Ask, known: KnownValues) {
    this.#ask = ask;
    this.#known = known;
  }

  tokenOf(role: Role): string | undefined {
    return this.#logins.get(role)?.accessToken;
  }

  /**
   * Gives the role a new account with the known password, and with the configured limits: fuzzed requests of
   * administrators change the limits for new accounts, often to zero.
   */
  async renew(role: Role): Promise<void> {
    if (role === 'anonymous') return;
    this.#created += 1;
    const username = `${role.replace(' ', '-')}-${this.#created}`;
    const keeper = await this.#enter({ username: `keeper-${this.#created}`, role: 'ADMIN' });
    await this.#ask('PATCH', ACCOUNT_DEFAULTS, CONFIGURED_DEFAULTS, keeper.accessToken);
    const { user } = await this.#enter({ username, role: ACCOUNT_ROLES[role] });
    await this.#ask(
      'PUT',
      `/api/admin/users/${user.id}/password`,
      { newPassword: EXAMPLE.password },
      keeper.accessToken,
    );
    const state = toLoginState(await this.#logIn(username));
    this.#logins.set(role, { username, accessToken: state.accessToken });
    this.#known.giveToAnonymous(role);
    this.#known.add('user', 'admin', state.user);
    this.#known.add('registered', role, { username, password: EXAMPLE.password });
  }

  /** Gives the role a new session for its account, which keeps its files, or else a new account. */
  async logInAgain(role: Role): Promise<void> {
    const username = this.#logins.get(role)?.username;
    const state = username === undefined ? undefined : findLoginState(await this.#logIn(username));
    if (username === undefined || state === undefined) return this.renew(role);
    this.#logins.set(role, { username, accessToken: state.accessToken });
  }

  #logIn(username: string): Promise<Buffer> {
    return this.#ask('POST', '/api/auth/login', { username, password: EXAMPLE.password }, undefined);
  }

  async #enter(account: { username: string; role: string }) {
    return toLoginState(await this.#ask('POST', '/api/auth/dev-login', account, undefined));
  }
}

interface Login {
  readonly username: string;
  readonly accessToken: string;
}

interface LoginState {
  readonly accessToken: string;
  readonly user: Readonly<Record<string, unknown>> & { readonly id: number };
}

function findLoginState(body: Buffer): LoginState | undefined {
  const { code, data } = (parse(body) ?? {}) as { code?: number; data?: LoginState };
  return code === 0 ? data : undefined;
}

function toLoginState(body: Buffer): LoginState {
  const state = findLoginState(body);
  if (state === undefined) throw new Error(`A role has no login: ${body.toString()}`);
  return state;
}
