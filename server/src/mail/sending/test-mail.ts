import type { MailSettings } from '../../config/mail.ts';
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
  const letter = writeLetter({ kind: 'TEST' }, language, { url: publicUrl });
  const client = new SmtpClient(server);
  try {
    return await client.send({ to, letter, language, messageId });
  } finally {
    await client.close();
  }
}
