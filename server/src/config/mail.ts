import { isLoopback } from '../base/network/listen-address.ts';
import type { Environment } from './environment.ts';

const URL_NAME = 'HOLDALL_SMTP_URL';
const FROM_NAME = 'HOLDALL_MAIL_FROM';

/** A bare address, without a display name. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}]{1,253}$/u;

/** The mail server, and the address that mails come from. */
export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** Whether the connection begins with TLS. Otherwise it changes to TLS if the server offers it. */
  readonly isTls: boolean;
  /** Whether the server runs on this machine. */
  readonly isLocal: boolean;
  readonly login: { readonly user: string; readonly password: string } | undefined;
  readonly from: string;
}

/** Undefined if no mail is sent. */
export function readMailSettings(env: Environment): MailSettings | undefined {
  const url = env.text(URL_NAME);
  const from = env.pattern(FROM_NAME, ADDRESS, 'a bare address such as holdall@example.org');
  if (url === undefined) {
    if (env.text(FROM_NAME) !== undefined) env.fault(URL_NAME, `set, as ${FROM_NAME} is`);
    return undefined;
  }
  if (env.text(FROM_NAME) === undefined) env.fault(FROM_NAME, `set, as ${URL_NAME} is`);
  const server = parseServer(url);
  // The message does not repeat the value, because it may contain a password.
  if (server === undefined) {
    env.fault(URL_NAME, 'a URL such as smtp://user:password@mail.example.org:587 or smtps://…:465');
  }
  return server === undefined || from === undefined ? undefined : { ...server, from };
}

function parseServer(text: string): Omit<MailSettings, 'from'> | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return undefined;
  if (!/^\/?$/.test(url.pathname) || url.search + url.hash !== '') return undefined;
  const isTls = url.protocol === 'smtps:';
  const user = decode(url.username);
  const password = decode(url.password);
  if (user === undefined || password === undefined || (user === '') !== (password === '')) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return {
    host,
    port: url.port === '' ? (isTls ? 465 : 587) : Number(url.port),
    isTls,
    isLocal: isLoopback(host),
    login: user === '' ? undefined : { user, password },
  };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
