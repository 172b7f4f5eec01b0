import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import type { Db, Tx } from '../database/database.ts';
import { findSetting, getOrCreateSetting, putSetting, swapSetting } from './queries.ts';

const INVITE_CODE = 'invite-code';
const OFFLINE_LIMIT = 'offline-storage-limit-bytes';
const SECRET_BITS = 256;
const INVITE_CODE_BITS = 96;

export type SecretName = 'jwt-secret' | 'download-secret';

/** What the service keeps about itself, for all its instances. */
export class Settings {
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor(clock: Clock, ids: Ids) {
    this.#clock = clock;
    this.#ids = ids;
  }

  /** The secret of that name, made at the first call on this database. */
  getOrCreateSecret(tx: Tx, name: SecretName): Promise<string> {
    return getOrCreateSetting(tx, name, this.#ids.token(SECRET_BITS), this.#clock.now());
  }

  /** True for the first caller on this database, and never again. */
  async claimOnce(tx: Tx, name: string): Promise<boolean> {
    const claim = this.#ids.uuid();
    return (await getOrCreateSetting(tx, `claim:${name}`, claim, this.#clock.now())) === claim;
  }

  /** The invite code; at the first call on this database `first`, or a random one. */
  getOrCreateInviteCode(tx: Tx, first: string | undefined): Promise<string> {
    return getOrCreateSetting(tx, INVITE_CODE, first ?? this.#newInviteCode(), this.#clock.now());
  }

  findInviteCode(db: Db): Promise<string | undefined> {
    return findSetting(db, INVITE_CODE);
  }

  /**
   * Spends the code and puts a new one in its place, in the caller's transaction.
   * @throws Failure `rejected` when it is not the current one
   */
  async spendInviteCode(tx: Tx, code: string): Promise<void> {
    const spent = await swapSetting(tx, INVITE_CODE, code, this.#newInviteCode(), this.#clock.now());
    if (!spent) throw new Failure('rejected', 'The invite code is not valid.');
  }

  /** Puts a random code in the place of the present one. */
  async rotateInviteCode(tx: Tx): Promise<string> {
    const code = this.#newInviteCode();
    await this.putInviteCode(tx, code);
    return code;
  }

  putInviteCode(tx: Tx, code: string): Promise<void> {
    return putSetting(tx, INVITE_CODE, code, this.#clock.now());
  }

  /** What an admin has set; undefined as long as nobody has. */
  async findOfflineLimit(db: Db): Promise<number | undefined> {
    const bytes = await findSetting(db, OFFLINE_LIMIT);
    return bytes === undefined ? undefined : Number(bytes);
  }

  putOfflineLimit(tx: Tx, bytes: number): Promise<void> {
    return putSetting(tx, OFFLINE_LIMIT, String(bytes), this.#clock.now());
  }

  /** Makes the transaction the only one, on any instance, that holds the name, until it ends. */
  lock(tx: Tx, name: string): Promise<void> {
    return putSetting(tx, `held:${name}`, '', this.#clock.now());
  }

  /** A value that a background pass keeps for its next run. */
  findMarker(db: Db, name: string): Promise<string | undefined> {
    return findSetting(db, `mark:${name}`);
  }

  /** Keeps the value unless there is one; gives the one that counts. */
  getOrCreateMarker(tx: Tx, name: string, value: string): Promise<string> {
    return getOrCreateSetting(tx, `mark:${name}`, value, this.#clock.now());
  }

  putMarker(tx: Tx, name: string, value: string): Promise<void> {
    return putSetting(tx, `mark:${name}`, value, this.#clock.now());
  }

  #newInviteCode(): string {
    return this.#ids.token(INVITE_CODE_BITS);
  }
}
