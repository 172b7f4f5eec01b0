// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import { PASSWORD, type Person } from '../support/app/person.ts';
import { lookUp, ONE_FILE, type PeerSession, TRANSFERS } from '../support/transfer/transfer.ts';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const { anonymous } = holdall;
const admin = await holdall.admin();
const ann = await holdall.register('ann');

const create = (mode: 'OFFLINE' | 'ONLINE', person = ann) =>
  person.call<PeerSession>('POST', TRANSFERS, { body: { mode, files: ONE_FILE } });

const setBanned = (person: Person, banned: boolean) =>
  admin.ask('PATCH', `/api/admin/users/${person.id}/status`, { body: { banned } });

test('a ban ends the transfers of a sender, and maintenance removes their bytes', async () => {
  const { data: stored } = await create('OFFLINE');
  const { data: online } = await create('ONLINE');
  const bob = await holdall.register('bob');
  const { data: other } = await create('OFFLINE', bob);
  const url = `${TRANSFERS}/${stored.sessionId}/files/${stored.files[0]?.id}`;
  const headers = { 'content-type': 'application/octet-stream' };
  await ann.ask('POST', `${url}/content`, { body: Buffer.from('hello'), headers });
  assert.equal(await (await anonymous.fetch('GET', `${url}/download`)).text(), 'hello');

  await setBanned(ann, true);
  await anonymous.refused(404, 1003, 'GET', `${url}/download`);
  await anonymous.refused(404, 1003, 'POST', `${TRANSFERS}/${stored.sessionId}/join`);
  for (const { pickupCode } of [stored, online]) {
    assert.equal((await lookUp(anonymous, pickupCode)).status, 404);
  }
  assert.equal((await lookUp(anonymous, other.pickupCode)).status, 200, 'of somebody else');
  await holdall.app.cleanUp();
  const left = await holdall.app.database.db.selectFrom('transfer_session').select('id').execute();
  assert.deepEqual(
    left.map(({ id }) => id),
    [other.sessionId],
  );

  await setBanned(ann, false);
  assert.equal((await lookUp(anonymous, stored.pickupCode)).status, 404, 'it does not come back');
});

test('no stored transfer that is created during the ban of its sender survives it', async () => {
  for (let round = 0; round < 8; round += 1) {
    await setBanned(ann, false);
    await ann.logIn(PASSWORD);
    // Only OFFLINE sessions: an ONLINE session needs no login, so one created after the ban has no owner.
    const made = [create('OFFLINE'), create('OFFLINE'), create('OFFLINE')];
    const [answers] = await Promise.all([Promise.all(made), setBanned(ann, true)]);
    for (const { status, data } of answers) {
      if (status === 200) assert.equal((await lookUp(anonymous, data.pickupCode)).status, 404);
      else assert.ok(status === 401 || status === 403, `${status}`);
    }
  }
});
