import { SecondFactorNeededError } from '../errors/errors.ts';
import type { AuthMethods, Invitation, LoginState, User } from '../generated/records.ts';
import type { LoginSession } from '../login/login-session.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { DataOf, InputOf, RequestOptions } from '../requests/operation-types.ts';
import type { Requester } from '../requests/requester.ts';

/** The service's response to a login, without the tokens, which are stored. */
export interface LoggedIn {
  readonly user: User;
  /** Nearly all calls are rejected until the account has a new password. */
  readonly mustChangePassword: boolean;
  /** Nearly all calls are rejected until the account has a second factor. */
  readonly mustSetUpSecondFactor: boolean;
}

export interface LogInOptions extends CallOptions {
  /**
   * Called for a code of the authenticator app, or a recovery code, if the account has a second factor. If
   * absent, such a login fails with `SecondFactorNeededError`.
   */
  readonly askForCode?: (() => Promise<string> | string) | undefined;
}

/** Logging in and out. Every kind of login stores its tokens; later calls use and renew them. */
export class Auth {
  readonly #requester: Requester;
  readonly #session: LoginSession;
  readonly #withLogin: Requester;

  /** @param requester sends no login @param withLogin sends the login of the session */
  constructor(requester: Requester, session: LoginSession, withLogin: Requester) {
    this.#requester = requester;
    this.#session = session;
    this.#withLogin = withLogin;
  }

  /** How people can log in here. @throws HoldallError */
  methods(options: CallOptions = {}): Promise<AuthMethods> {
    return this.#requester.ask('GET /api/auth/methods', {}, options);
  }

  /** Whether a login is stored. The service may already have ended it. */
  isLoggedIn(): Promise<boolean> {
    return this.#session.isLoggedIn();
  }

  /**
   * Logs in with username and password.
   * @throws HoldallError: `UnauthenticatedError` if they are wrong, `SecondFactorNeededError` if a code is
   *   needed but `askForCode` is absent, `ForbiddenError` if the account is banned
   */
  async logIn(username: string, password: string, options: LogInOptions = {}): Promise<LoggedIn> {
    const { askForCode, ...call } = options;
    try {
      return await this.#start(call, (request) =>
        this.#requester.ask('POST /api/auth/login', { body: { username, password } }, request),
      );
    } catch (error) {
      if (!(error instanceof SecondFactorNeededError) || askForCode === undefined) throw error;
      return this.finishLogIn(error.ticket, await askForCode(), call);
    }
  }

  /**
   * Finishes a login that needs a second factor.
   * @param ticket the ticket of a `SecondFactorNeededError`; it stays valid after a wrong code
   * @throws HoldallError: `UnauthenticatedError` for a wrong code
   */
  finishLogIn(ticket: string, code: string, options: CallOptions = {}): Promise<LoggedIn> {
    return this.#start(options, (request) =>
      this.#requester.ask('POST /api/auth/second-factor', { body: { ticket, code } }, request),
    );
  }

  /** Who invites with a code. @throws HoldallError: `InvalidError` if the code cannot be used */
  invitation(inviteCode: string, options: CallOptions = {}): Promise<Invitation> {
    return this.#requester.ask('POST /api/auth/invitation', { body: { inviteCode } }, options);
  }

  /** Creates an account and logs in. @throws HoldallError */
  register(body: InputOf<'POST /api/auth/register'>['body'], options: CallOptions = {}): Promise<LoggedIn> {
    return this.#start(options, (request) =>
      this.#requester.ask('POST /api/auth/register', { body }, request),
    );
  }

  /**
   * Requests a mail with a link for a new password. Resolves in the same way if no account has the address.
   * @throws HoldallError: `InvalidError` if the service sends no mail
   */
  async requestPasswordReset(email: string, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('POST /api/auth/password-reset', { body: { email } }, options);
  }

  /**
   * Sets a new password, and ends all sessions and app passwords of the account.
   * @param token from the fragment of the mailed link
   * @throws HoldallError: `InvalidError` if the token was used or has expired
   */
  async resetPassword(token: string, newPassword: string, options: CallOptions = {}): Promise<void> {
    const body = { token, newPassword };
    await this.#requester.ask('POST /api/auth/password-reset/confirm', { body }, options);
  }

  /**
   * Verifies an e-mail address.
   * @param token from the fragment of the mailed link
   * @throws HoldallError: `InvalidError` if the token was used or has expired
   */
  async verifyEmail(token: string, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('POST /api/auth/email-verification/confirm', { body: { token } }, options);
  }

  /** The options for `navigator.credentials.get`, to log in with a passkey. @throws HoldallError */
  passkeyOptions(options: CallOptions = {}): Promise<DataOf<'POST /api/auth/passkey/options'>> {
    return this.#requester.ask('POST /api/auth/passkey/options', {}, options);
  }

  /** Logs in with the result of `navigator.credentials.get`. @throws HoldallError */
  logInWithPasskey(
    credential: InputOf<'POST /api/auth/passkey'>['body']['credential'],
    options: CallOptions = {},
  ): Promise<LoggedIn> {
    return this.#start(options, (request) =>
      this.#requester.ask('POST /api/auth/passkey', { body: { credential } }, request),
    );
  }

  /**
   * Finishes single sign-on. The ticket is in the fragment of the URL that it redirects to.
   * @throws HoldallError
   */
  redeemTicket(ticket: string, options: CallOptions = {}): Promise<LoggedIn> {
    return this.#start(options, (request) =>
      this.#requester.ask('POST /api/auth/oidc/ticket', { body: { ticket } }, request),
    );
  }

  /** Logs in without a password, if the service is set up for development. @throws HoldallError */
  devLogIn(
    body: NonNullable<InputOf<'POST /api/auth/dev-login'>['body']> = {},
    options: CallOptions = {},
  ): Promise<LoggedIn> {
    return this.#start(options, (request) =>
      this.#requester.ask('POST /api/auth/dev-login', { body }, request),
    );
  }

  /**
   * Changes the password, which ends all other sessions, and stores the new login.
   * @throws HoldallError: `RejectedError` if the current one is wrong
   */
  changePassword(
    body: InputOf<'POST /api/user/password'>['body'],
    options: CallOptions = {},
  ): Promise<LoggedIn> {
    return this.#start(options, (request) =>
      this.#withLogin.ask('POST /api/user/password', { body }, request),
    );
  }

  /**
   * Ends the login here, and in the service if it can be reached. Always forgets the tokens.
   * @throws HoldallError if the service did not end the login
   */
  async logOut(options: CallOptions = {}): Promise<void> {
    try {
      await this.#withLogin.ask('POST /api/auth/logout', {}, options);
    } finally {
      await this.#session.end();
    }
  }

  async #start(
    options: CallOptions,
    logIn: (request: RequestOptions) => Promise<LoginState>,
  ): Promise<LoggedIn> {
    const device = await this.#session.device();
    const state = await logIn({ ...options, headers: { 'x-service-device': device } });
    await this.#session.start(state, device);
    const { user, mustChangePassword, mustSetUpSecondFactor = false } = state;
    return { user, mustChangePassword, mustSetUpSecondFactor };
  }
}
