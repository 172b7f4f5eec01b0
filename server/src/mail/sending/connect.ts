import { createTransport } from 'nodemailer';
import type { MailSettings } from '../../config/mail.ts';

/** @param limits.stepMs the limit of each step, such as connecting */
export function connect(
  { host, port, isTls, isLocal, login }: MailSettings,
  { maxConnections, stepMs }: { readonly maxConnections: number; readonly stepMs: number },
) {
  return createTransport({
    pool: true,
    ...{ host, port, secure: isTls },
    // A mail server on the same machine often has a certificate that no one can check.
    tls: { rejectUnauthorized: !isLocal },
    // Otherwise anyone on the network could read the password.
    requireTLS: login !== undefined && !isLocal,
    ...(login === undefined ? {} : { auth: { user: login.user, pass: login.password } }),
    maxConnections,
    // The pool must not send a mail again, because the server may have accepted it.
    maxRequeues: 0,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    dnsTimeout: stepMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
