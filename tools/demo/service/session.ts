import type { HttpClient } from './http-client.ts';

const RENEW_AFTER_MS = 10 * 60 * 1_000;

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** A session that outlives its access token: the tokens are renewed while the old ones are still valid. */
export class Session {
  readonly #client: HttpClient;
  #accessToken = '';
  #refreshToken = '';
  #renewedAt = 0;
  #renewal: Promise<void> | undefined;

  private constructor(client: HttpClient) {
    this.#client = client;
  }

  static async register(client: HttpClient, credentials: Credentials, inviteCode: string): Promise<Session> {
    const session = new Session(client);
    await session.#obtain('/api/auth/register', {
      ...credentials,
      confirmPassword: credentials.password,
      email: `${credentials.username}@example.org`,
      // Phone numbers are unique too, so that two demonstrations on one service do not collide.
      phoneNumber: `+49${String(Date.now()).slice(-11)}`,
      inviteCode,
    });
    return session;
  }

  static async logIn(client: HttpClient, credentials: Credentials): Promise<Session> {
    const session = new Session(client);
    await session.#obtain('/api/auth/login', credentials);
    return session;
  }

  async authorization(): Promise<{ readonly Authorization: string }> {
    if (performance.now() - this.#renewedAt > RENEW_AFTER_MS) {
      this.#renewal ??= this.#obtain('/api/auth/refresh', { refreshToken: this.#refreshToken }).finally(
        () => {
          this.#renewal = undefined;
        },
      );
      await this.#renewal;
    }
    return { Authorization: `Bearer ${this.#accessToken}` };
  }

  async #obtain(path: string, body: object): Promise<void> {
    const headers = { 'Content-Type': 'application/json' };
    const state = await this.#client.call({
      method: 'POST',
      path,
      headers,
      body: Buffer.from(JSON.stringify(body)),
    });
    if (typeof state !== 'object' || state === null) throw new Error(`${path} answered no login state`);
    if (!('accessToken' in state) || typeof state.accessToken !== 'string')
      throw new Error('no access token');
    if (!('refreshToken' in state) || typeof state.refreshToken !== 'string') {
      throw new Error('no refresh token');
    }
    this.#accessToken = state.accessToken;
    this.#refreshToken = state.refreshToken;
    this.#renewedAt = performance.now();
  }
}
