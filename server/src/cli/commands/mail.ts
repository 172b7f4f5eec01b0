import { toEmail } from '../../accounts/accounts.ts';
import { systemIds } from '../../base/ids.ts';
import { readConfig } from '../../config/config.ts';
import type { Command, CommandContext } from '../command.ts';
import { readArguments } from '../read-arguments.ts';

/** Needs no database, so it can be used before the first start. */
export const mailTest: Command = {
  name: 'mail test',
  takes: 'ADDRESS',
  does: "sends a test mail immediately and prints the mail server's answer",
  run: async (args, { env, say }: CommandContext) => {
    const { positionals } = readArguments(args, { positionals: ['ADDRESS'] });
    const to = toEmail(positionals[0] ?? '');
    const { mail: server, publicUrl } = readConfig(env);
    if (server === undefined) throw new Error('Mail is off: set HOLDALL_SMTP_URL and HOLDALL_MAIL_FROM.');
    if (publicUrl === undefined) throw new Error('Mail is off: set HOLDALL_PUBLIC_URL.');
    const { sendTestMail } = await import('../../mail/mail.ts');
    const answer = await sendTestMail(server, { to, publicUrl, messageId: systemIds.uuid() });
    say(`The mail server accepted the mail to ${to}: ${answer}`);
  },
};
