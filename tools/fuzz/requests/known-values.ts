// The ids, tokens, codes and paths from all responses so far. Later requests use them.
import type { Role } from './draft.ts';
import type { Random } from './random.ts';

const KINDS = [
  ...['entry', 'recycled', 'upload', 'transfer', 'ticket', 'share', 'link', 'task', 'user', 'policy', 'blob'],
  ...['refresh', 'cursor', 'invite', 'url', 'tus', 'release', 'temporary', 'own link', 'app password'],
  ...[
    'login session',
    'admin invite',
    'folder link',
    'link upload',
    'transfer upload',
    'version',
    'download',
    'link download',
    'page file',
    'joined',
    'drive',
    'deleted drive',
    'notification',
  ],
  // Secrets of authenticator apps, confirmed ones, and logins that still need a code.
  ...['totp', 'authenticator', 'unfinished login'],
  // Members of shared drives.
  ...['member'],
  // Accounts with a known password, and announced uploads whose bytes were sent.
  ...['registered', 'filled', 'filled session'],
] as const;
export type Kind = (typeof KINDS)[number];

export type Json = Readonly<Record<string, unknown>>;

interface Known {
  readonly role: Role;
  readonly value: Json;
}

/** Recognizes the objects of each kind in a response. An object may be of several kinds. */
const SIGNS: readonly (readonly [Kind, (value: Json) => boolean])[] = [
  ['drive', (value) => 'memberCount' in value && value.kind === 'SHARED' && value.deletedAt === null],
  ['deleted drive', (value) => 'memberCount' in value && value.deletedAt !== null],
  ['recycled', (value) => 'deletedAt' in value && 'originalPath' in value],
  ['entry', (value) => 'parentPath' in value && 'id' in value && !('deletedAt' in value)],
  ['upload', (value) => 'uploadMode' in value],
  ['transfer', (value) => 'pickupCode' in value],
  ['ticket', (value) => typeof value.storageName === 'string'],
  ['share', (value) => 'shareName' in value && 'token' in value],
  ['link', (value) => 'url' in value && 'token' in value],
  ['folder link', (value) => 'receivedFiles' in value && 'token' in value],
  ['task', (value) => 'publicStateJson' in value],
  ['user', (value) => 'role' in value && 'username' in value],
  ['member', (value) => 'accountId' in value && 'username' in value],
  ['policy', (value) => 'credentialMode' in value],
  ['blob', (value) => 'referenceCount' in value],
  ['refresh', (value) => 'refreshToken' in value],
  ['cursor', (value) => 'nextCursor' in value || 'cursor' in value],
  ['invite', (value) => typeof value.inviteCode === 'string'],
  ['url', (value) => typeof value.url === 'string' && value.url.includes('/_dl/')],
  ['release', (value) => 'versionCode' in value],
  ['temporary', (value) => 'temporaryPassword' in value],
  ['own link', (value) => 'importCount' in value],
  ['app password', (value) => 'scope' in value && 'lastUsedAt' in value],
  ['login session', (value) => value.current === false && 'userAgent' in value],
  ['admin invite', (value) => 'usedCount' in value],
  ['notification', (value) => 'readAt' in value],
  ['totp', (value) => 'otpauthUri' in value],
];

/** How many values of each kind are kept. Most older ones no longer exist in the service. */
const KEPT = 60;

/** Usually one of this many newest values is used, because it probably still exists. */
const RECENT = 8;

export class KnownValues {
  readonly #random: Random;
  readonly #known = new Map<Kind, Known[]>(KINDS.map((kind) => [kind, []]));
  /** The values that the current request uses. */
  #used: Json[] = [];
  #missed: Kind | undefined;

  constructor(random: Random) {
    this.#random = random;
  }

  add(kind: Kind, role: Role, value: Json): void {
    const list = this.#known.get(kind) ?? [];
    list.push({ role, value });
    if (list.length > KEPT) list.shift();
  }

  /** Adds every object that it recognizes in a response. */
  addAll(role: Role, answer: unknown): void {
    if (Array.isArray(answer)) for (const item of answer.slice(0, 10)) this.addAll(role, item);
    if (typeof answer !== 'object' || answer === null) return;
    const value = answer as Json;
    for (const [kind, isOfKind] of SIGNS) if (isOfKind(value)) this.add(kind, role, value);
    for (const member of Object.values(value)) this.addAll(role, member);
  }

  /**
   * Finds a value of that kind that fits: usually one that the role received, sometimes that of another role.
   */
  find(kind: Kind, role: Role, fits: (value: Json) => boolean = () => true): Json | undefined {
    const all = (this.#known.get(kind) ?? []).filter(({ value }) => fits(value));
    const own = all.filter((known) => known.role === role).slice(-RECENT);
    const list = own.length > 0 && this.#random.chance(90) ? own : all;
    if (list.length === 0) return undefined;
    const { role: owner, value } = this.#random.pick(list);
    if (owner === role) this.#used.push(value);
    return value;
  }

  /** Begins a request: from now on, what `find` returns counts as used by it. */
  startRequest(): void {
    this.#used = [];
    this.#missed = undefined;
  }

  /** The first kind that the request needs, but of which the role has received no value. */
  get missed(): Kind | undefined {
    return this.#missed;
  }

  /** Removes the values that the last request used, because the service no longer has them. */
  dropUsed(): void {
    const used = new Set(this.#used);
    for (const [kind, list] of this.#known) {
      this.#known.set(
        kind,
        list.filter(({ value }) => !used.has(value)),
      );
    }
  }

  /** The newest value of that kind that the role received. */
  findNewest(kind: Kind, role: Role): Json | undefined {
    return this.#known.get(kind)?.findLast((known) => known.role === role)?.value;
  }

  /** Removes a value that a request has used up, such as a refresh token. */
  drop(kind: Kind, value: Json): void {
    const list = this.#known.get(kind) ?? [];
    this.#known.set(
      kind,
      list.filter((known) => known.value !== value),
    );
  }

  /** Calls `make` with such a value. If there is none, returns undefined, and `missed` is set to the kind. */
  use<T>(kind: Kind, role: Role, make: (value: Json) => T, fits?: (value: Json) => boolean): T | undefined {
    const value = this.find(kind, role, fits);
    if (value === undefined || !this.#used.includes(value)) this.#missed ??= kind;
    return value === undefined ? undefined : make(value);
  }

  /** Moves the values of a role to the anonymous role: its new account may no longer use them. */
  giveToAnonymous(role: Role): void {
    for (const [kind, list] of this.#known) {
      const changed = list.map((known) =>
        known.role === role ? { ...known, role: 'anonymous' as const } : known,
      );
      this.#known.set(kind, changed);
    }
  }

  /** Any id, token or path of any kind. It is usually wrong where it is used. */
  findAny(): string | number | undefined {
    const list = this.#known.get(this.#random.pick(KINDS)) ?? [];
    if (list.length === 0) return undefined;
    const values = Object.values(this.#random.pick(list).value);
    const plain = values.filter((value) => typeof value === 'string' || typeof value === 'number');
    return plain.length === 0 ? undefined : this.#random.pick(plain);
  }
}
