import { type Static, Type } from 'typebox';
import { EXAMPLE } from '../../http/examples.ts';
import { KeyText } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { DeviceHeaders, LoginState, OwnerBody } from '../contract.ts';
import { RECOVERY_CODES } from './recovery-codes.ts';

/** A code of an authenticator app, or a recovery code, as people type them. */
const CodeText = Type.String({ maxLength: 64, description: '6 digits, or a recovery code' });

export const TotpEnrolment = Type.Object({
  secret: Type.String({ description: 'base32, for authenticator apps' }),
  otpauthUri: Type.String({ description: 'what a QR code for authenticator apps contains' }),
});
export type TotpEnrolment = Static<typeof TotpEnrolment>;

/** The only responses that contain recovery codes. */
export const RecoveryCodes = Type.Object({
  recoveryCodes: Type.Array(Type.String(), { maxItems: RECOVERY_CODES }),
});
export type RecoveryCodes = Static<typeof RecoveryCodes>;

export const TotpCodeBody = Type.Object({ code: CodeText });

export const SecondFactorBody = Type.Object({ ticket: KeyText, code: CodeText });

export const finishLogin = operation('POST /api/auth/second-factor', {
  does: 'Finishes a login that needs a second factor.',
  access: 'public',
  appPassword: 'never',
  headers: DeviceHeaders,
  body: SecondFactorBody,
  data: LoginState,
  example: { body: { ticket: EXAMPLE.loginTicket, code: EXAMPLE.loginCode } },
});

export const startTotp = operation('POST /api/user/totp', {
  does: 'Creates the secret for an authenticator app.',
  access: 'login',
  appPassword: 'never',
  beforeSecondFactor: true,
  body: OwnerBody,
  data: TotpEnrolment,
  example: { body: { password: EXAMPLE.password } },
});

export const confirmTotp = operation('POST /api/user/totp/confirm', {
  does: 'Turns the authenticator app on with its first code.',
  access: 'login',
  appPassword: 'never',
  beforeSecondFactor: true,
  body: TotpCodeBody,
  data: RecoveryCodes,
  example: { body: { code: EXAMPLE.enrolmentCode } },
});

export const renewRecoveryCodes = operation('POST /api/user/totp/recovery-codes', {
  does: 'Replaces all recovery codes of the caller.',
  access: 'login',
  appPassword: 'never',
  beforeSecondFactor: true,
  body: OwnerBody,
  data: RecoveryCodes,
  example: { body: { password: EXAMPLE.password } },
});

export const turnOffTotp = operation('DELETE /api/user/totp', {
  does: 'Removes the authenticator app and the recovery codes of the caller.',
  access: 'login',
  appPassword: 'never',
  beforeSecondFactor: true,
  body: OwnerBody,
  example: { body: { password: EXAMPLE.password } },
});
