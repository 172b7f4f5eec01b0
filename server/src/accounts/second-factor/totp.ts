import { Secret, TOTP } from 'otpauth';
import { type Instant, SECOND } from '../../base/clock.ts';

/** The parameters of RFC 6238 that every authenticator app supports. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** RFC 4226, section 4 (R6) recommends 160 bits. */
export const TOTP_SECRET_BITS = 160;

/** The clock of a phone may differ. Codes of the step before and after the current one are accepted. */
const DRIFT_STEPS = 1;

const FORM = /^\d{6}$/;

export function isTotpCode(text: string): boolean {
  return FORM.test(text);
}

/** The secret in base32, as people type it into an authenticator app. */
export function toTotpText(secret: Uint8Array): string {
  return toSecret(secret).base32;
}

/** The content of the QR code that authenticator apps read. */
export function toTotpUri(secret: Uint8Array, username: string): string {
  return new TOTP({ ...PARAMETERS, issuer: 'Holdall', label: username, secret: toSecret(secret) }).toString();
}

/** The time step that the code belongs to; undefined for a wrong code. */
export function findTotpStep(secret: Uint8Array, code: string, now: Instant): number | undefined {
  if (!isTotpCode(code)) return undefined;
  const token = { ...PARAMETERS, secret: toSecret(secret), token: code, timestamp: now };
  const drift = TOTP.validate({ ...token, window: DRIFT_STEPS });
  return drift === null ? undefined : Math.floor(now / (PARAMETERS.period * SECOND)) + drift;
}

function toSecret(bytes: Uint8Array): Secret {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer });
}
