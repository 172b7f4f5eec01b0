/** The tokens of a login. Anybody who has them is logged in, so a store must keep them secret. */
export interface Tokens {
  readonly accessToken: string;
  /** Can be used once. */
  readonly refreshToken: string;
  /** Milliseconds since 1970, by the clock of this program. */
  readonly expiresAt: number;
  /** The UUID of this installation. A later login with it ends this one, and no other. */
  readonly device: string;
}

/** Keeps the tokens of one login, in memory or longer. */
export interface TokenStore {
  load(): Promise<Tokens | undefined>;
  /** @param tokens undefined when the login has ended */
  save(tokens: Tokens | undefined): Promise<void>;
  /**
   * Runs the work while no other program with this store runs some. Needed where several programs or tabs
   * share the store, because a refresh token can be used only once: `navigator.locks.request(name, work)` in
   * browsers.
   */
  exclusively?<T>(work: () => Promise<T>): Promise<T>;
}

/** Forgets the login when the program ends. */
export class MemoryTokenStore implements TokenStore {
  #tokens: Tokens | undefined;

  /** @param tokens of an earlier login */
  constructor(tokens?: Tokens) {
    this.#tokens = tokens;
  }

  async load(): Promise<Tokens | undefined> {
    return this.#tokens;
  }

  async save(tokens: Tokens | undefined): Promise<void> {
    this.#tokens = tokens;
  }
}
