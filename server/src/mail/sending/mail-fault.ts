import type { NodemailerError } from 'nodemailer';
import { toError } from '../../base/errors.ts';
import { toPlainLine } from '../../base/text/plain-line.ts';

const MAX_MESSAGE = 300;

/** The commands whose answers are about the mail, and not about the connection or the login. */
const MAIL_COMMANDS = /^(?:MAIL FROM|RCPT TO|DATA)/;

/** A mail was not sent. The message contains no secrets. */
export class MailFault extends Error {
  override readonly name = 'MailFault';
  /** Whether the server rejected this mail for good. */
  readonly isFinal: boolean;
  /** Whether other mails would fail in the same way, because the server cannot be used. */
  readonly concernsAll: boolean;

  constructor(message: string, kind: 'mail-rejected' | 'mail-postponed' | 'server-unusable') {
    super(message);
    this.isFinal = kind === 'mail-rejected';
    this.concernsAll = kind === 'server-unusable';
  }
}

/** A server that takes no more mail, for example because there was too much of it (RFC 5321, 4.2.1). */
const SERVICE_CLOSES = 421;

/** A status code, and an enhanced one if there is one, at the start of an answer. */
const STATUS_CODES = /^[2-5]\d\d(?:[ -][245]\.\d{1,3}\.\d{1,3})?(?![\d.])/;

/** @param password is removed from the message: a server may repeat what it was sent */
export function toMailFault(error: unknown, password: string | undefined): MailFault {
  const { response, responseCode, command, code, message: explanation }: NodemailerError = toError(error);
  if (code === 'EAUTH' || command?.startsWith('AUTH')) {
    return new MailFault(describeRefusedLogin(response), 'server-unusable');
  }
  const text = response ?? explanation;
  const message = shorten(toPlainLine(withoutPassword(text, password)));
  if (responseCode !== undefined && responseCode !== SERVICE_CLOSES && MAIL_COMMANDS.test(command ?? '')) {
    return new MailFault(message, responseCode >= 500 ? 'mail-rejected' : 'mail-postponed');
  }
  // Without an answer, it means that the address cannot be written in SMTP.
  if (code === 'EENVELOPE') return new MailFault(message, 'mail-rejected');
  return new MailFault(message, 'server-unusable');
}

/** Only the codes are kept: the server may repeat the user and the password in any encoding. */
function describeRefusedLogin(response: string | undefined): string {
  const codes = STATUS_CODES.exec(response ?? '')?.[0].replace('-', ' ');
  return `The login at the mail server failed${codes === undefined ? '' : `: ${codes}`}.`;
}

function withoutPassword(text: string, password: string | undefined): string {
  if (password === undefined) return text;
  const forms = [password, Buffer.from(password).toString('base64'), encodeURIComponent(password)];
  return forms.reduce((rest, form) => rest.replaceAll(form, '…'), text);
}

function shorten(message: string): string {
  return message.length <= MAX_MESSAGE ? message : `${message.slice(0, MAX_MESSAGE - 1)}…`;
}
