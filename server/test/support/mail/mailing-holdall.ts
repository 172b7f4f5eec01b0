import type { Letter } from '../../../src/mail/mail.ts';
import type { Holdall } from '../app/holdall.ts';
import type { TestSmtpServer } from './smtp-server.ts';

/** The settings of a Holdall that sends its mails to the server. */
export function mailEnvironment({ port }: Pick<TestSmtpServer, 'port'>): Readonly<Record<string, string>> {
  return {
    HOLDALL_PUBLIC_URL: 'https://drive.example.org',
    HOLDALL_SMTP_URL: `smtp://127.0.0.1:${port}`,
    HOLDALL_MAIL_FROM: 'holdall@example.org',
  };
}

/** Queues a letter to someone without an account. Nothing is sent yet. */
export function queueLetter(
  { app }: Holdall,
  to: string,
  letter: Letter = { kind: 'TEST' },
  options: { language?: string | null; accountId?: number | null } = {},
): Promise<boolean> {
  const { language = null, accountId = null } = options;
  return app.database.transact((tx) => app.mail.queue(tx, { to, accountId, language, letter }));
}

/** Makes all waiting mails due, also for processes whose clock is behind that of the test. */
export function makeDue({ app }: Holdall) {
  return app.database.transact((tx) =>
    tx.updateTable('mail').set({ next_attempt_at: 0 }).where('failed_at', 'is', null).execute(),
  );
}

/** The row of the only mail to an address; undefined once it was sent. */
export function findMail({ app }: Holdall, address: string) {
  return app.database.db.selectFrom('mail').selectAll().where('address', '=', address).executeTakeFirst();
}
