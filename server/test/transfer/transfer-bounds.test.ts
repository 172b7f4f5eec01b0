// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OwnTransferRecord } from '../../src/transfer/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { type PeerSession, TRANSFERS, withToken } from '../support/transfer/transfer.ts';

const MIB = 1_024 ** 2;
const SALT = 'AAAAAAAAAAAAAAAAAAAAAA';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const alice = await holdall.register('alice');

/** The files of about a megabyte of names. */
const files = Array.from({ length: 240 }, (_, index) => ({
  name: `file-${index}`,
  encryptedName: 'A'.repeat(4_096),
  size: 16,
}));
const open = (mode: string) =>
  alice.call<PeerSession>('POST', TRANSFERS, { body: { mode, encrypted: true, salt: SALT, files } });

test('the names in the transfers of an account may have 8 MiB', async () => {
  for (const mode of ['OFFLINE', 'ONLINE']) {
    const statuses: number[] = [];
    let last: PeerSession | undefined;
    for (let count = 0; count < 10; count += 1) {
      const { status, data } = await open(mode);
      statuses.push(status);
      if (status === 200) last = data;
    }
    assert.deepEqual(statuses, [...Array(8).fill(200), 413, 413], mode);
    assert.ok(last);
    await alice.ask('DELETE', `${TRANSFERS}/${last.sessionId}`, withToken(last.peerToken));
    assert.equal((await open(mode)).status, 200);
  }
});

test('the list of own transfers has every transfer, and the files of the newest up to 2 MiB', async () => {
  const response = await alice.call<OwnTransferRecord[]>('GET', `${TRANSFERS}/offline/mine`);
  assert.equal(response.status, 200);
  assert.ok(JSON.stringify(response.data).length < 3 * MIB);
  const listed = response.data;
  assert.deepEqual(
    listed.map(({ files: seen, fileCount, totalBytes }) => [seen.length, fileCount, totalBytes]),
    [[240, 240, 3_840], [240, 240, 3_840], ...Array(6).fill([0, 240, 3_840])],
  );
});
