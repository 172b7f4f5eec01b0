import { Downloads } from './downloads/downloads.ts';
import { Events } from './events/events.ts';
import { LoginSession } from './login/login-session.ts';
import { MemoryTokenStore, type TokenStore } from './login/token-store.ts';
import { Account } from './parts/account.ts';
import { Admin } from './parts/admin.ts';
import { AppPasswords } from './parts/app-passwords.ts';
import { Auth } from './parts/auth.ts';
import { Bin } from './parts/bin.ts';
import { Drive } from './parts/drive.ts';
import { Drives } from './parts/drives.ts';
import { FolderLinks } from './parts/folder-links.ts';
import { Notifications } from './parts/notifications.ts';
import { Passkeys } from './parts/passkeys.ts';
import { Releases } from './parts/releases.ts';
import { SecondFactor } from './parts/second-factor.ts';
import { ShareLinks } from './parts/share-links.ts';
import { Shares } from './parts/shares.ts';
import { Site } from './parts/site.ts';
import { Tasks } from './parts/tasks.ts';
import { Transfers } from './parts/transfers.ts';
import { Versions } from './parts/versions.ts';
import { type Credentials, nobody } from './requests/credentials.ts';
import type { Arguments, DataOf, DataOperation, OperationName } from './requests/operation-types.ts';
import { Requester } from './requests/requester.ts';
import { Uploads } from './uploads/uploads.ts';

export interface HoldallOptions {
  /** The address of the service, such as `https://drive.example.org`. */
  readonly url: string | URL;
  /** An app password. If absent, log in with `auth.logIn`. */
  readonly credentials?: Credentials | undefined;
  /** Where the tokens of a login are stored; in memory if absent. Has no effect with `credentials`. */
  readonly tokens?: TokenStore | undefined;
  /** The UUID of this installation, for its logins. If absent, one is created and stored with the tokens. */
  readonly device?: string | undefined;
  /** Sent with every change, so that `events.watch` leaves out its own changes; at most 64 characters. */
  readonly clientId?: string | undefined;
  /** The drive that the calls about files and directories use; the personal drive if absent. */
  readonly driveId?: number | undefined;
  /** Milliseconds for one attempt of a call: 60,000 if absent, 0 for no limit. */
  readonly timeoutMs?: number | undefined;
  /** How many times a call is retried if it may be repeated: 3 if absent. */
  readonly retries?: number | undefined;
  /** Sends the requests; the global `fetch` if absent. */
  readonly fetch?: typeof fetch | undefined;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_RETRIES = 3;

/**
 * A Holdall service, used as one user or anonymously. All parts share the login.
 *
 * ```ts
 * const holdall = new Holdall({ url: 'https://drive.example.org', credentials: appPassword('hda_…') });
 * for await (const entry of holdall.drive.list('/')) console.log(entry.path);
 * ```
 */
export class Holdall {
  readonly auth: Auth;
  readonly account: Account;
  readonly secondFactor: SecondFactor;
  readonly passkeys: Passkeys;
  readonly appPasswords: AppPasswords;
  readonly notifications: Notifications;
  readonly drive: Drive;
  readonly drives: Drives;
  readonly bin: Bin;
  readonly uploads: Uploads;
  readonly downloads: Downloads;
  readonly versions: Versions;
  readonly shares: Shares;
  readonly shareLinks: ShareLinks;
  readonly folderLinks: FolderLinks;
  readonly transfers: Transfers;
  readonly tasks: Tasks;
  readonly events: Events;
  readonly admin: Admin;
  readonly releases: Releases;
  readonly site: Site;
  readonly #options: HoldallOptions;
  readonly #requester: Requester;

  constructor(options: HoldallOptions) {
    const tokens = options.tokens ?? new MemoryTokenStore();
    const anonymous = new Requester({
      url: new URL(options.url),
      credentials: nobody,
      // Browsers reject a `fetch` that is called as a method of another object.
      fetch: options.fetch ?? ((...request) => fetch(...request)),
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      retries: options.retries ?? DEFAULT_RETRIES,
      headers: options.clientId === undefined ? {} : { 'x-service-client-id': options.clientId },
    });
    const refresh = (refreshToken: string) =>
      anonymous.ask('POST /api/auth/refresh', { body: { refreshToken } });
    const { credentials } = options;
    // That of the `Holdall` whose `inDrive` creates this one. Two sessions could use up the same token.
    const isShared = credentials instanceof LoginSession;
    const session = isShared ? credentials : new LoginSession(tokens, refresh, options.device);
    const { headers } = anonymous.settings;
    const requester = anonymous.with({
      credentials: credentials ?? session,
      ...(options.driveId !== undefined && {
        headers: { ...headers, 'x-service-drive': String(options.driveId) },
      }),
    });
    this.#options = { ...options, credentials: credentials ?? session };
    this.#requester = requester;
    this.auth = new Auth(anonymous, session, requester);
    this.account = new Account(requester);
    this.secondFactor = new SecondFactor(requester);
    this.passkeys = new Passkeys(requester);
    this.appPasswords = new AppPasswords(requester);
    this.notifications = new Notifications(requester);
    this.drive = new Drive(requester);
    this.drives = new Drives(requester);
    this.bin = new Bin(requester);
    this.uploads = new Uploads(requester);
    this.downloads = new Downloads(requester);
    this.versions = new Versions(requester);
    this.shares = new Shares(requester);
    this.shareLinks = new ShareLinks(requester);
    this.folderLinks = new FolderLinks(requester);
    this.transfers = new Transfers(requester);
    this.tasks = new Tasks(requester);
    this.events = new Events(requester);
    this.admin = new Admin(requester);
    this.releases = new Releases(requester);
    this.site = new Site(requester);
  }

  /**
   * The same user with the same login in another drive: every call about entries, uploads, downloads, events,
   * tasks and links is about that drive.
   *
   * ```ts
   * const [, shared] = await holdall.drives.list();
   * await holdall.inDrive(shared.id).drive.makeDirectory('/Plans');
   * ```
   */
  inDrive(driveId: number): Holdall {
    return new Holdall({ ...this.#options, driveId });
  }

  /**
   * Calls any operation by its name in the API reference, with the login, and returns its `data`.
   *
   * ```ts
   * const page = await holdall.request('GET /api/files/list', { query: { path: '/Documents' } });
   * ```
   * @throws HoldallError; the reason of the signal
   */
  request<Name extends DataOperation>(operation: Name, ...input: Arguments<Name>): Promise<DataOf<Name>> {
    return this.#requester.ask(operation, ...input);
  }

  /** Calls any operation and returns its response, for bytes and streams. @throws HoldallError */
  fetch<Name extends OperationName>(operation: Name, ...input: Arguments<Name>): Promise<Response> {
    return this.#requester.open(operation, ...input);
  }
}
