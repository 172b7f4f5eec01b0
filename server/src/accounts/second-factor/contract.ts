import { type Static, Type } from 'typebox';
import { KeyText, Nullable } from '../../http/fields.ts';
import { RECOVERY_CODES } from './recovery-codes.ts';

/** A code of an authenticator app, or a recovery code, as people type them. */
const CodeText = Type.String({ maxLength: 64, description: '6 digits, or a recovery code' });

export const TotpEnrolment = Type.Object({
  secret: Type.String({ description: 'base32, for authenticator apps' }),
  otpauthUri: Type.String({ description: 'what a QR code for authenticator apps contains' }),
});
export type TotpEnrolment = Static<typeof TotpEnrolment>;

export const TotpCodeBody = Type.Object({ code: CodeText });

/** The only responses that contain recovery codes. */
export const RecoveryCodes = Type.Object({
  recoveryCodes: Type.Array(Type.String(), { maxItems: RECOVERY_CODES }),
});
export type RecoveryCodes = Static<typeof RecoveryCodes>;

export const SecondFactorBody = Type.Object({ ticket: KeyText, code: CodeText });

/** What a login still needs after the right password: a code, together with the ticket. */
export const NeededSecondFactor = Nullable(
  Type.Object({
    secondFactor: Type.Array(Type.Enum(['TOTP', 'RECOVERY']), { maxItems: 2 }),
    ticket: Type.String({ description: 'for `/api/auth/second-factor`, within 5 minutes' }),
  }),
);
