import type { MailSettings } from '../../config/mail.ts';
import { DEFAULT_INSTANCE_NAME } from '../../settings/settings.ts';
import { writeLetter } from '../letters/write-letter.ts';
import { SmtpClient } from './smtp-client.ts';

/**
 * Sends a test mail immediately, and returns the server's answer.
 * @param messageId a unique id
 * @throws MailFault
 */
export async function sendTestMail(
  server: MailSettings,
  { to, publicUrl, messageId }: { to: string; publicUrl: string; messageId: string },
): Promise<string> {
  const language = 'en';
  // The name of the instance is in the database, which this mail does not need.
  const name = DEFAULT_INSTANCE_NAME;
  const letter = writeLetter({ kind: 'TEST' }, language, { url: publicUrl, name });
  const client = new SmtpClient(server);
  try {
    return await client.send({ to, from: name, letter, language, messageId });
  } finally {
    await client.close();
  }
}
