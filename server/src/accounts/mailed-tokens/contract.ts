import { Type } from 'typebox';
import { EXAMPLE } from '../../http/examples.ts';
import { KeyText } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { EmailText, OwnerBody, PasswordText } from '../contract.ts';

const PasswordResetBody = Type.Object({ email: EmailText });

const ConfirmResetBody = Type.Object({ token: KeyText, newPassword: PasswordText });

const ConfirmEmailBody = Type.Object({ token: KeyText });

export const requestPasswordReset = operation('POST /api/auth/password-reset', {
  does: 'Mails a link for a new password, if the address is the verified one of an account with a password.',
  access: 'public',
  appPassword: 'never',
  body: PasswordResetBody,
  example: { body: { email: EXAMPLE.verifiedEmail } },
});

export const confirmPasswordReset = operation('POST /api/auth/password-reset/confirm', {
  does: 'Sets a new password with the token of a mailed link, and ends all sessions and app passwords.',
  access: 'public',
  appPassword: 'never',
  body: ConfirmResetBody,
  example: { body: { token: EXAMPLE.resetToken, newPassword: EXAMPLE.newPassword } },
});

export const requestEmailVerification = operation('POST /api/auth/email-verification', {
  does: 'Mails the caller a link that verifies the e-mail address of the profile.',
  access: 'login',
  appPassword: 'never',
  body: OwnerBody,
  example: { body: { password: EXAMPLE.password } },
});

export const confirmEmailVerification = operation('POST /api/auth/email-verification/confirm', {
  does: 'Verifies an e-mail address with the token of a mailed link.',
  access: 'public',
  appPassword: 'never',
  body: ConfirmEmailBody,
  example: { body: { token: EXAMPLE.verificationToken } },
});
