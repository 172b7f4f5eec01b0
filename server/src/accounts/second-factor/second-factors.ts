import { type Clock, HOUR } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Ids } from '../../base/ids.ts';
import { SecretBox } from '../../base/secret-box.ts';
import { hashToken } from '../../base/text/hash-token.ts';
import { toSymbols } from '../../base/text/typed-code.ts';
import type { Database, Db, Tx } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import type { CredentialLimiter } from '../../limits/limits.ts';
import { limitOwnGuesses } from '../security/login-attempts.ts';
import { lockOwnAccount, type OwnerCheck, type OwnerProof } from '../security/owner-check.ts';
import type { SecurityLog } from '../security/security-log.ts';
import type { TotpEnrolment } from './contract.ts';
import {
  confirmTotp,
  deleteRecoveryCode,
  deleteRecoveryCodesOf,
  deleteTotp,
  findTotp,
  insertRecoveryCodes,
  type Totp,
  upsertUnconfirmedTotp,
  useTotpStep,
} from './queries.ts';
import { newRecoveryCode, RECOVERY_CODES, toRecoveryCode } from './recovery-codes.ts';
import { findTotpStep, isTotpCode, TOTP_SECRET_BITS, toTotpText, toTotpUri } from './totp.ts';

/** How long someone may take to set up an app. Later codes are not accepted. */
const SETUP_MS = HOUR;

interface SecondFactorsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limiter: CredentialLimiter;
  readonly ownerCheck: OwnerCheck;
  readonly log: SecurityLog;
  readonly serviceSecret: string;
  readonly onUnreadableSecret: (accountId: number) => void;
}

/**
 * The second factor of logins: an authenticator app, and recovery codes for when it is lost. Every code works
 * once: one conditional statement marks it as used, in the transaction that relies on it.
 */
export class SecondFactors {
  readonly #parts: SecondFactorsParts;
  readonly #box: SecretBox;

  /**
   * @param parts.onUnreadableSecret called when a code is rejected because the service's secret has changed
   */
  constructor(parts: SecondFactorsParts) {
    this.#parts = parts;
    this.#box = new SecretBox(parts.serviceSecret, 'holdall totp secrets', parts.ids);
  }

  /** Whether logins with the password of the account need a code. */
  async isOn(db: Db, accountId: number): Promise<boolean> {
    const totp = await findTotp(db, accountId);
    return totp !== undefined && totp.confirmedAt !== null;
  }

  /**
   * Makes a new secret. It has no effect until the caller's session confirms it, within an hour. It is
   * returned here and never again.
   * @throws Failure `conflict` if an app is set up; `rejected` for a wrong password; `forbidden` without one
   *   if the login is too old, or if the account is banned
   */
  async start(caller: Caller, proof: OwnerProof): Promise<TotpEnrolment> {
    const { accountId, username, sessionId } = caller;
    const secret = Buffer.from(this.#parts.ids.token(TOTP_SECRET_BITS), 'base64url');
    const sealed = this.#box.seal(secret, contextOf(accountId, sessionId));
    const isStored = await this.#parts.ownerCheck.runWithProof(caller, proof, (tx) =>
      upsertUnconfirmedTotp(tx, accountId, sealed, this.#parts.clock.now()),
    );
    if (!isStored) throw totpAlreadyOn();
    return { secret: toTotpText(secret), otpauthUri: toTotpUri(secret, username) };
  }

  /**
   * Turns the second factor on, with a code that proves that the app has the secret. Returns the recovery
   * codes, which are never returned again.
   * @throws Failure `rejected` for a wrong code; `not-found` without a secret, or if it is too old or of
   *   another session; `conflict` if an app is set up
   */
  async confirm(caller: Caller, code: string, address: string): Promise<readonly string[]> {
    const { accountId } = caller;
    return this.#parts.limiter.attempt(limitOwnGuesses(address, accountId), async () => {
      const totp = await findTotp(this.#parts.database.db, accountId);
      if (totp !== undefined && totp.confirmedAt !== null) throw totpAlreadyOn();
      const secret = totp === undefined ? undefined : this.#openUnconfirmed(totp, caller);
      if (totp === undefined || secret === undefined) {
        throw new Failure('not-found', 'Please begin to set up the app again.');
      }
      const unconfirmed = totp.sealedSecret;
      const confirmed = this.#box.seal(secret, contextOf(accountId));
      const step = findTotpStep(secret, toSymbols(code), this.#parts.clock.now());
      if (step === undefined) throw new Failure('rejected', 'The code is wrong.');
      return this.#parts.database.transact(async (tx) => {
        const account = await lockOwnAccount(tx, caller);
        const now = this.#parts.clock.now();
        const isOn = await confirmTotp(tx, accountId, { unconfirmed, confirmed, step, now });
        if (!isOn) throw new Failure('conflict', 'Please begin to set up the app again.');
        await this.#parts.log.recordAddition(tx, account, 'SET_UP_TOTP', { origin: { address } });
        return this.#replaceRecoveryCodes(tx, accountId);
      });
    });
  }

  /**
   * Replaces all recovery codes, and returns the new ones.
   * @throws Failure `rejected` for a wrong password; `not-found` if no app is set up; `forbidden`
   */
  async renewRecoveryCodes(caller: Caller, proof: OwnerProof): Promise<readonly string[]> {
    const origin = { address: proof.address };
    return this.#parts.ownerCheck.runWithPassword(caller, proof, async (tx, account) => {
      if (!(await this.isOn(tx, caller.accountId))) throw totpNotOn();
      await this.#parts.log.recordAddition(tx, account, 'RENEW_RECOVERY_CODES', { origin });
      return this.#replaceRecoveryCodes(tx, caller.accountId);
    });
  }

  /** @throws Failure `rejected` for a wrong password; `not-found` if no app is set up; `forbidden` */
  async turnOff(caller: Caller, proof: OwnerProof): Promise<void> {
    const origin = { address: proof.address };
    await this.#parts.ownerCheck.runWithPassword(caller, proof, async (tx, account) => {
      if (!(await this.#remove(tx, caller.accountId))) throw totpNotOn();
      await this.#parts.log.record(tx, account, 'REMOVE_TOTP', { origin });
    });
  }

  /** Removes the app and the recovery codes. Returns false if no app was set up. */
  async #remove(tx: Tx, accountId: number): Promise<boolean> {
    await deleteRecoveryCodesOf(tx, accountId);
    return deleteTotp(tx, accountId);
  }

  /**
   * Marks a code of the app, or a recovery code, as used. Returns false if it is wrong or was used before.
   */
  async useCode(tx: Tx, accountId: number, code: string): Promise<boolean> {
    const plainCode = toSymbols(code);
    if (!isTotpCode(plainCode)) {
      const recoveryCode = toRecoveryCode(code);
      return recoveryCode !== undefined && deleteRecoveryCode(tx, accountId, hashToken(recoveryCode));
    }
    const totp = await findTotp(tx, accountId);
    if (totp === undefined) return false;
    const { sealedSecret } = totp;
    const step = this.#findStep(sealedSecret, accountId, plainCode);
    return step !== undefined && useTotpStep(tx, accountId, { sealedSecret, step });
  }

  /**
   * The secret of an app that the caller's session is setting up; undefined if another session made it, or if
   * it is too old. Only the session that made it has proved to be the owner's.
   */
  #openUnconfirmed({ sealedSecret, createdAt }: Totp, caller: Caller): Buffer | undefined {
    if (createdAt <= this.#parts.clock.now() - SETUP_MS) return undefined;
    const { accountId, sessionId } = caller;
    return this.#box.open(sealedSecret, contextOf(accountId, sessionId));
  }

  #findStep(sealedSecret: string, accountId: number, code: string): number | undefined {
    const secret = this.#box.open(sealedSecret, contextOf(accountId));
    if (secret === undefined) this.#parts.onUnreadableSecret(accountId);
    return secret === undefined ? undefined : findTotpStep(secret, code, this.#parts.clock.now());
  }

  async #replaceRecoveryCodes(tx: Tx, accountId: number): Promise<readonly string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode(this.#parts.ids));
    await deleteRecoveryCodesOf(tx, accountId);
    const hashes = codes.map((code) => hashToken(toRecoveryCode(code) ?? code));
    await insertRecoveryCodes(tx, accountId, hashes);
    return codes;
  }
}

/**
 * What a sealed secret is bound to: its account and, until the app is confirmed, the login session that sets
 * it up. So no other session can confirm it.
 */
function contextOf(accountId: number, sessionId?: string): string {
  return sessionId === undefined ? `account ${accountId}` : `account ${accountId}, session ${sessionId}`;
}

function totpAlreadyOn(): Failure {
  return new Failure('conflict', 'An authenticator app is set up already. Please remove it first.');
}

function totpNotOn(): Failure {
  return new Failure('not-found', 'No authenticator app is set up.');
}
