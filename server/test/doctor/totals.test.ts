// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import { diagnose } from '../support/checks/diagnose.ts';
import { sabotage } from '../support/checks/sabotage.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';
import { openOnline, Peer, TRANSFERS } from '../support/transfer/transfer.ts';

const holdall = await startHoldall();
const person = await holdall.register();
const other = await holdall.register();
await person.upload('/file.txt', 'bytes');
await person.mkdir('/kept/in a directory');
const recycled = await person.mkdir('/recycled');
await person.upload('/recycled/file.txt', 'bytes');
await person.recycle(recycled);

const client = await asDavClient(person);
await client.put('/dav/file.txt', 'a version');
const property = '<D:set><D:prop><a:p xmlns:a="urn:a">größer</a:p></D:prop></D:set>';
await client.send('PROPPATCH', '/dav/file.txt', {
  body: `<D:propertyupdate xmlns:D="DAV:">${property}</D:propertyupdate>`,
});
const files = [
  { name: 'größer.txt', relativePath: 'in/größer.txt', size: 5, contentType: 'text/plain' },
  { name: 'second', size: 6 },
];
await person.ask('POST', TRANSFERS, { body: { mode: 'OFFLINE', files } });
await new Peer(person, await openOnline(person)).send('offer', { sdp: 'v=0' });

const driveOf = ({ username }: { username: string }) =>
  `(select drive.id from drive join account on account.id = drive.account_id where username = '${username}')`;

const DAMAGES: readonly (readonly [rule: string, statement: string])[] = [
  ['usage', `update drive set used_bytes = 7 where id = ${driveOf(person)}`],
  ['file-count', `update drive set file_count = 7 where id = ${driveOf(person)}`],
  ['entry-count', `update drive set entry_count = 7 where id = ${driveOf(person)}`],
  ['kept-bytes', `update drive set kept_bytes = 7 where id = ${driveOf(person)}`],
  ['child-count', `update entry set child_count = 7 where name = 'kept'`],
  ['reference-count', 'update blob set reference_count = 7 where id = (select max(id) from blob)'],
  ['stored-total', 'update blob_total set objects = objects + 1, bytes = bytes + 5'],
  ['transfer-session-file-count', `update transfer_session set file_count = 7 where mode = 'OFFLINE'`],
  ['transfer-session-text-bytes', `update transfer_session set text_bytes = 7 where mode = 'ONLINE'`],
  ['transfer-session-offline-bytes', `update transfer_session set offline_bytes = 7 where mode = 'OFFLINE'`],
  ['transfer-session-signal-count', `update transfer_session set signal_count = 7 where mode = 'ONLINE'`],
  ['file-version-drive', `update file_version set drive_id = ${driveOf(other)}`],
  ['dav-property-bytes', 'update dav_property set bytes = 7'],
  ['dav-property-drive', `update dav_property set drive_id = ${driveOf(other)}`],
  ...(isPostgres
    ? []
    : [
        ['search-index', `delete from unindexed_entry where entry_id = (select max(id) from entry)`] as const,
      ]),
];

for (const [rule, statement] of DAMAGES) {
  test(`the doctor reports and repairs: ${rule}`, async () => {
    await sabotage(holdall, statement);
    const { faults } = await diagnose(holdall.app, { onRepair: async () => {} });
    assert.deepEqual(
      faults.map((fault) => [fault.rule, fault.isRepaired]),
      [[rule, true]],
    );
    await checkBooks(holdall);
    assert.deepEqual((await diagnose(holdall.app)).faults, []);
  });
}

test('the doctor reports a size that differs from that of the blob, but leaves it alone', async () => {
  const changeBy = (bytes: number) =>
    sabotage(
      holdall,
      `update file_version set size = size + ${bytes}`,
      `update drive set kept_bytes = kept_bytes + ${bytes} where id = ${driveOf(person)}`,
    );
  await changeBy(1);
  const { faults } = await diagnose(holdall.app, { onRepair: async () => {} });
  assert.deepEqual(
    faults.map((fault) => [fault.rule, fault.isRepaired]),
    [['file-version-size', false]],
  );
  await changeBy(-1);
});
