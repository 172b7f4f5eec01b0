import { UnauthenticatedError } from '../errors/errors.ts';
import type { LoginState } from '../generated/records.ts';
import { orAborted } from '../requests/waiting.ts';

/** Exchanges a refresh token for a new login state. @throws HoldallError */
export type Refresh = (refreshToken: string) => Promise<LoginState>;

/** A stored login. Several programs or tabs may share the store. */
interface StoredLogin {
  /** Reads the store, and returns its current refresh token; undefined if the login has ended. */
  load(): Promise<string | undefined>;
  /** Stores the new tokens. */
  start(state: LoginState): Promise<void>;
  /** Forgets the tokens, because the service has rejected them. */
  end(error: UnauthenticatedError): Promise<void>;
  /** Runs the work while no one else with the same store runs theirs. */
  exclusively(work: () => Promise<void>): Promise<void>;
}

/** Renews the tokens of a login. A refresh token can be used only once by all who share the store. */
export class TokenRenewal {
  readonly #login: StoredLogin;
  readonly #refresh: Refresh;
  #running: Promise<void> | undefined;

  constructor(login: StoredLogin, refresh: Refresh) {
    this.#login = login;
    this.#refresh = refresh;
  }

  /**
   * Renews the tokens, unless someone else has already done it. One renewal serves all calls, so none of them
   * can abort it. An aborted call only stops waiting.
   * @param known the refresh token that the caller has seen
   * @throws HoldallError: `UnauthenticatedError` when the login has ended; the reason of the signal
   */
  run(known: string, signal?: AbortSignal): Promise<void> {
    this.#running ??= this.#login
      .exclusively(() => this.#renew(known))
      .finally(() => {
        this.#running = undefined;
      });
    return orAborted(this.#running, signal);
  }

  async #renew(known: string): Promise<void> {
    // Another program with the same store may have renewed or ended the login.
    if ((await this.#login.load()) !== known) return;
    try {
      await this.#login.start(await this.#refresh(known));
    } catch (error) {
      // Any other error may be temporary.
      if (!(error instanceof UnauthenticatedError)) throw error;
      // If the stored token has changed, another program was faster, and its tokens are valid.
      if ((await this.#login.load()) !== known) return;
      await this.#login.end(error);
      throw error;
    }
  }
}
