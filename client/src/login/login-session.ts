import type { LoginState } from '../generated/records.ts';
import type { Credentials } from '../requests/credentials.ts';
import { type Refresh, TokenRenewal } from './token-renewal.ts';
import type { TokenStore, Tokens } from './token-store.ts';

/** An access token is renewed this long before it expires, so that it does not expire on the way. */
const EARLY_MS = 30_000;

/**
 * A login with its two tokens. When the access token is about to expire or was rejected, it is renewed once
 * for all waiting calls.
 */
export class LoginSession implements Credentials {
  readonly #store: TokenStore;
  readonly #renewal: TokenRenewal;
  readonly #device: string | undefined;
  #tokens: Promise<Tokens | undefined> | undefined;

  /** @param device a UUID stored by the program; by default that of the stored login, or a new one */
  constructor(store: TokenStore, refresh: Refresh, device?: string) {
    this.#store = store;
    this.#device = device;
    const login = {
      load: () => this.#reload(),
      start: async (state: LoginState) => {
        const { device = await this.device() } = (await this.#load()) ?? {};
        await this.start(state, device);
      },
      end: () => this.end(),
      exclusively: store.exclusively?.bind(store) ?? runAtOnce,
    };
    this.#renewal = new TokenRenewal(login, refresh);
  }

  /** The UUID to log in with. */
  async device(): Promise<string> {
    return this.#device ?? (await this.#load())?.device ?? newUuid();
  }

  /** Whether a login is stored. The service may already have ended it. */
  async isLoggedIn(): Promise<boolean> {
    return (await this.#load()) !== undefined;
  }

  /** Stores a new login. */
  async start({ accessToken, refreshToken, expiresIn }: LoginState, device: string): Promise<void> {
    const expiresAt = Date.now() + expiresIn * 1_000;
    await this.#save({ accessToken, refreshToken, expiresAt, device });
  }

  /** Forgets the login, without telling the service. */
  end(): Promise<void> {
    return this.#save(undefined);
  }

  async authorize(signal: AbortSignal | undefined): Promise<string | undefined> {
    const tokens = await this.#load();
    if (tokens === undefined || tokens.expiresAt - EARLY_MS > Date.now()) return toHeader(tokens);
    await this.#renewal.run(tokens.refreshToken, signal);
    return toHeader(await this.#load());
  }

  async renew(refused: string, signal: AbortSignal | undefined): Promise<boolean> {
    const tokens = await this.#load();
    // Another call may have renewed the token since this one was sent.
    if (tokens !== undefined && toHeader(tokens) === refused)
      await this.#renewal.run(tokens.refreshToken, signal);
    const header = toHeader(await this.#load());
    return header !== undefined && header !== refused;
  }

  /** Reads the store again, because other programs may have renewed or ended the login. */
  async #reload(): Promise<string | undefined> {
    const stored = await this.#store.load();
    this.#tokens = Promise.resolve(stored);
    return stored?.refreshToken;
  }

  #load(): Promise<Tokens | undefined> {
    this.#tokens ??= this.#store.load();
    return this.#tokens;
  }

  async #save(tokens: Tokens | undefined): Promise<void> {
    this.#tokens = Promise.resolve(tokens);
    await this.#store.save(tokens);
  }
}

function toHeader(tokens: Tokens | undefined): string | undefined {
  return tokens === undefined ? undefined : `Bearer ${tokens.accessToken}`;
}

function runAtOnce<T>(work: () => Promise<T>): Promise<T> {
  return work();
}

/** A random UUID (RFC 9562, section 5.4). Pages without TLS have `getRandomValues`, but no `randomUUID`. */
function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
