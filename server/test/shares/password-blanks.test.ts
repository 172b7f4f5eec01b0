// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword } from '../../src/accounts/accounts.ts';
import type { ShareSummary } from '../../src/shares/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { linkFolder, Visitor } from '../support/folder-links/folder-links.ts';

const SHARES = '/api/v2/shares';
const holdall = await startHoldall();
const alice = await holdall.register('alice');
const bob = holdall.anonymous;
const directory = await alice.mkdir('/papers');
const file = await alice.upload('/papers/a.txt', 'a');

test('a share has the same password in a header, a body and a query, with and without blanks around it', async () => {
  const { token, id } = await alice.ask<ShareSummary>('POST', SHARES, {
    body: { fileId: file.id, password: ' open\u00a0sesame\t' },
  });
  const expectOpen = async (password: string) => {
    const url = `${SHARES}/${token}?download`;
    const byHeader = await bob.fetch('GET', url, { headers: { 'x-share-password': encodeUtf8(password) } });
    const byQuery = await bob.fetch('GET', `${url}&password=${encodeURIComponent(password)}`);
    const byBody = await bob.fetch('POST', `${SHARES}/${token}/verify-password`, { body: { password } });
    for (const response of [byHeader, byQuery, byBody]) {
      await response.arrayBuffer();
      assert.equal(response.status, 200, JSON.stringify(password));
    }
  };
  for (const password of ['open\u00a0sesame', ' open\u00a0sesame\t', 'open\u00a0sesame '])
    await expectOpen(password);
  await bob.refused(403, 2403, 'POST', `${SHARES}/${token}/verify-password`, {
    body: { password: 'opensesame' },
  });
  // A password that was set before the service removed blanks.
  const passwordHash = await hashPassword(' old ', { accountId: alice.id });
  await holdall.app.database.transact((tx) =>
    tx.updateTable('share').set({ password_hash: passwordHash }).where('id', '=', id).execute(),
  );
  await bob.ask('POST', `${SHARES}/${token}/verify-password`, { body: { password: ' old ' } });
});

test('a folder link has the same password with and without blanks around it', async () => {
  const link = await linkFolder(alice, directory, { password: ' open ' });
  for (const password of ['open', ' open', 'open\t']) {
    await new Visitor(holdall.url, link).enterPassword(password);
  }
});

/** As clients send it in a header: each byte of the UTF-8 is one character. */
function encodeUtf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}
