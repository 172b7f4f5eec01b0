import type {
  AccountSecurity,
  ChangedProfile,
  FirstSteps,
  LinkStart,
  LoginSessionRecord,
  ProfileBody,
  PushState,
  PushSubscriptionBody,
  SecurityChange,
  User,
} from '../generated/records.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { Requester } from '../requests/requester.ts';

/** The user's own account. */
export class Account {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Name, role, quota and usage. @throws HoldallError */
  profile(options: CallOptions = {}): Promise<User> {
    return this.#requester.ask('GET /api/user/profile', {}, options);
  }

  /** Changes the given members of the profile. @throws HoldallError */
  change(body: ProfileBody, options: CallOptions = {}): Promise<ChangedProfile> {
    return this.#requester.ask('PUT /api/user/profile', { body }, options);
  }

  /**
   * Requests another mail with the link that verifies the address of the profile.
   * @param password needed if the login is older than 15 minutes
   * @throws HoldallError: `ForbiddenError` without a needed password
   */
  async requestEmailVerification(password?: string, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('POST /api/auth/email-verification', { body: { password } }, options);
  }

  /** Returns the ways of logging in that the account has. @throws HoldallError */
  security(options: CallOptions = {}): Promise<AccountSecurity> {
    return this.#requester.ask('GET /api/user/security', {}, options);
  }

  /** Which steps with a new account are done. @throws HoldallError */
  firstSteps(options: CallOptions = {}): Promise<FirstSteps> {
    return this.#requester.ask('GET /api/user/first-steps', {}, options);
  }

  /** The login sessions, most recently used first. @throws HoldallError */
  sessions(options: CallOptions = {}): Promise<readonly LoginSessionRecord[]> {
    return this.#requester.ask('GET /api/user/sessions', {}, options);
  }

  /** Ends a session on another device. @throws HoldallError */
  async endSession(id: string, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('DELETE /api/user/sessions/{id}', { path: { id } }, options);
  }

  /** Ends every session but this one, and returns how many these were. @throws HoldallError */
  async endOtherSessions(options: CallOptions = {}): Promise<number> {
    return (await this.#requester.ask('DELETE /api/user/sessions', {}, options)).ended;
  }

  /** The newest 50 changes to the ways of logging in to the account. @throws HoldallError */
  securityChanges(options: CallOptions = {}): Promise<readonly SecurityChange[]> {
    return this.#requester.ask('GET /api/user/security/changes', {}, options);
  }

  /** The key for push subscriptions, and how many browsers of the account have one. @throws HoldallError */
  push(options: CallOptions = {}): Promise<PushState> {
    return this.#requester.ask('GET /api/user/push', {}, options);
  }

  /**
   * Sends notifications to the browser of this login session, also while it is closed.
   * @param subscription the result of `toJSON` of a `PushSubscription`
   * @throws HoldallError
   */
  async subscribeToPush(subscription: PushSubscriptionBody, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('PUT /api/user/push', { body: subscription }, options);
  }

  /** Ends the push messages to a browser of the account. @throws HoldallError */
  async unsubscribeFromPush(endpoint: string, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('DELETE /api/user/push', { body: { endpoint } }, options);
  }

  /**
   * The URL to open to link a single sign-on account.
   * @param password needed if the login is older than 15 minutes
   * @throws HoldallError: `ForbiddenError` without a needed password
   */
  linkIdentity(password?: string, options: CallOptions = {}): Promise<LinkStart> {
    return this.#requester.ask('POST /api/user/identities/oidc', { body: { password } }, options);
  }

  /**
   * Unlinks a single sign-on account.
   * @param password needed if the login is older than 15 minutes
   * @throws HoldallError: `ForbiddenError` without a needed password
   */
  async unlinkIdentity(id: number, password?: string, options: CallOptions = {}): Promise<void> {
    const call = { path: { id }, body: { password } };
    await this.#requester.ask('DELETE /api/user/identities/{id}', call, options);
  }

  /**
   * Replaces the profile picture.
   * @param picture at most 5 MiB; its content must match its type
   * @throws HoldallError
   */
  async setAvatar(picture: Blob, options: CallOptions = {}): Promise<User> {
    const body = new FormData();
    body.set('file', picture, 'avatar');
    const uploaded = await this.#requester.ask('POST /api/user/avatar/upload', { body }, options);
    const { storageName } = uploaded;
    return this.#requester.ask('POST /api/user/avatar/upload/complete', { body: { storageName } }, options);
  }

  /** The profile picture. @throws HoldallError: `NotFoundError` if there is none */
  async avatar(options: CallOptions = {}): Promise<Blob> {
    return (await this.#requester.open('GET /api/user/avatar/content', {}, options)).blob();
  }
}
