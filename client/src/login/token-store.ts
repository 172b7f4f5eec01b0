/** The tokens of a login. Anyone who has them is logged in, so a store must keep them secret. */
export interface Tokens {
  readonly accessToken: string;
  /** Can be used only once. */
  readonly refreshToken: string;
  /** Milliseconds since 1970, by the clock of this program. */
  readonly expiresAt: number;
  /** The UUID of this installation. A later login with it ends only this one. */
  readonly device: string;
}

/** Stores the tokens of one login, in memory or permanently. */
export interface TokenStore {
  load(): Promise<Tokens | undefined>;
  /** @param tokens undefined when the login has ended */
  save(tokens: Tokens | undefined): Promise<void>;
  /**
   * Runs the work while no other program with this store runs theirs. Required if several programs or tabs
   * share the store, because a refresh token can be used only once. In browsers:
   * `navigator.locks.request(name, work)`.
   */
  exclusively?<T>(work: () => Promise<T>): Promise<T>;
}

/** Forgets the login when the program ends. */
export class MemoryTokenStore implements TokenStore {
  #tokens: Tokens | undefined;

  /** @param tokens the tokens of an earlier login */
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
