// tier: full
// runs on: sqlite
// SQLite runs on the event loop, so work on many mails must let other requests have their turn.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { MAX_WAITING_MAILS } from '../../src/mail/queue.ts';
import { MAX_KEPT_FAILURES } from '../../src/mail/sending/outbox.ts';
import { MAX_BLOCK_MS, measureBlock } from '../support/stalls/longest-block.ts';
import { MeasuredService } from '../support/stalls/measured-service.ts';

const service = await MeasuredService.start();
const admin = await service.logIn('ruth', 'ADMIN');

async function insertMails(count: number, { isFailed }: { isFailed: boolean }): Promise<void> {
  const error = '550 5.1.1 No such user, and a long explanation '.repeat(6);
  const [failedAt, nextAttemptAt] = isFailed ? [1, null] : [null, Number.MAX_SAFE_INTEGER];
  await service.database.transact((tx) =>
    sql`
      insert into mail (address, kind, language, created_at, attempted_at, last_error, failed_at, next_attempt_at)
      with recursive numbers (number) as (
        select 1 union all select number + 1 from numbers where number < ${count}
      )
      select 'many@example.org', 'TEST', 'en', number, number, ${error}, ${failedAt}, ${nextAttemptAt}
      from numbers`.execute(tx),
  );
}

await insertMails(MAX_WAITING_MAILS, { isFailed: false });

stallTest('the list of failed mails', async () => {
  await insertMails(MAX_KEPT_FAILURES, { isFailed: true });
  await admin.ask('GET', '/api/admin/mail');
});

stallTest('clearing the list of failed mails', async () => {
  await insertMails(MAX_KEPT_FAILURES, { isFailed: true });
  await admin.ask('DELETE', '/api/admin/mail/failed');
});

function stallTest(what: string, act: () => Promise<unknown>): void {
  test(`${what} does not stop the service`, async (t) => {
    const block = await measureBlock(act, (work) => service.measureBlock(work));
    t.diagnostic(`${block.toFixed(1)} ms`);
    assert.ok(block <= MAX_BLOCK_MS, `the event loop was blocked for ${block.toFixed(0)} ms`);
  });
}
