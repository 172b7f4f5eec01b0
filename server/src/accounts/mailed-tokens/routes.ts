import { callerOf } from '../../http/caller.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import { acceptedLanguageOf } from '../accepted-language.ts';
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
    const { email } = request.body;
    await passwordReset.request(email, request.ip, acceptedLanguageOf(request));
  });

  mount(server, confirmPasswordReset, async (request) => {
    const { token, newPassword } = request.body;
    await passwordReset.confirm(token, newPassword, request.ip);
  });

  mount(server, requestEmailVerification, async (request) => {
    const proof = { password: request.body?.password, address: request.ip };
    await emailVerification.request(callerOf(request), proof, acceptedLanguageOf(request));
  });

  mount(server, confirmEmailVerification, async (request) => {
    await emailVerification.confirm(request.body.token, request.ip);
  });
}
