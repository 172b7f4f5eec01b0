import { callerOf } from '../../http/caller.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import {
  confirmEmailVerification,
  confirmPasswordReset,
  requestEmailVerification,
  requestPasswordReset,
} from './contract.ts';
import type { EmailVerification } from './email-verification.ts';
import type { PasswordReset } from './password-reset.ts';

interface MailedTokens {
  readonly passwordReset: PasswordReset;
  readonly emailVerification: EmailVerification;
}

/** What people do with the links in mails: a new password, and a verified address. */
export function mailedTokenRoutes(server: Server, { passwordReset, emailVerification }: MailedTokens): void {
  mount(server, requestPasswordReset, async (request) => {
    await passwordReset.request(request.body.email, request.ip);
  });

  mount(server, confirmPasswordReset, async (request) => {
    const { token, newPassword } = request.body;
    await passwordReset.confirm(token, newPassword, request.ip);
  });

  mount(server, requestEmailVerification, async (request) => {
    await emailVerification.request(callerOf(request).accountId);
  });

  mount(server, confirmEmailVerification, async (request) => {
    await emailVerification.confirm(request.body.token, request.ip);
  });
}
