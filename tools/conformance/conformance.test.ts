// tier: full
// runs on: sqlite, s3
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { ADMIN_PASSWORD, startHoldall } from '../../server/test/support/app/holdall.ts';
import type { Person } from '../../server/test/support/app/person.ts';
import { addMember } from '../../server/test/support/drives/members.ts';
import { createDrive, inDrive } from '../../server/test/support/drives/shared-drives.ts';
import { openSession } from '../../server/test/support/uploads/upload-session.ts';
import { checkConformance } from './conformance.ts';
import { describeResult, describeSections, toJson } from './report.ts';

// Without this, registrations from one client address are limited.
const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const adminLogin = { username: 'admin', password: ADMIN_PASSWORD };

// A shared drive with content of every kind, of which everyone becomes a member. Clients that do not know shared
// drives must not notice it.
const manager = await holdall.register('manager');
const { id: driveId } = await createDrive(manager, 'Team');
const there = inDrive(manager, driveId);
const [kept, recycled] = [await there.upload('/kept.txt', 'kept'), await there.upload('/old.txt', 'old')];
await there.recycle(recycled);
await there.ask('PUT', `/api/v2/files/${kept.id}/star`);
await there.ask('POST', '/api/v2/shares', { body: { fileId: kept.id } });
await there.ask('POST', `/api/files/${kept.id}/share-links`);
await there.ask('POST', '/api/v2/tasks/archive', { body: { fileId: kept.id, path: kept.path } });
await openSession(there, { filename: 'announced.bin', size: 1_000 });

/** Makes a new user a member of the drive, in which something then happens. */
async function addToDrive({ username }: Person): Promise<void> {
  const { status } = await addMember(manager, driveId, { username, role: 'EDITOR' });
  assert.equal(status, 200);
  await there.upload(`/for ${username}`, 'new');
}

describe('the conformance suite', () => {
  test('passes against this service, and calls every stable operation', async () => {
    const target = { url: holdall.url, adminLogin, filter: '', onRegistered: addToDrive };
    const { results, called } = await checkConformance(target);
    const faults = results.filter(({ fault }) => fault !== undefined).map(describeResult);
    assert.deepEqual(faults, []);
    assert.deepEqual(called.listMissing(), []);
    assert.ok(results.length > 100, `${results.length} checks ran`);
  });

  test('finds the defects of another service', async () => {
    const url = await startDefectiveService();
    const outcome = await checkConformance({ url, adminLogin, filter: 'recycle bin' });
    const failed = outcome.results.filter(({ fault }) => fault !== undefined).map(({ check }) => check);
    assert.deepEqual(failed, [
      'a restore is refused if the name is taken, and leaves the entry in the bin',
      'a restore is refused without enough space, and leaves the entry in the bin',
    ]);
    assert.match(describeSections(outcome), /^✖ Recycle bin: 3 of 5\n/);
    assert.match(describeSections(outcome), /not called: GET \/api\/admin\/audits/);
    assert.match(describeSections(outcome), /3 passed, 2 failed$/);
    assert.equal(JSON.parse(toJson(outcome)).passed, false);
  });

  test('says that a section is unknown, or that the admin cannot log in', async () => {
    const { url } = holdall;
    await assert.rejects(checkConformance({ url, adminLogin, filter: 'weather' }), /No section/);
    const wrong = { ...adminLogin, password: 'not the password' };
    await assert.rejects(checkConformance({ url, adminLogin: wrong, filter: '' }), /401/);
  });
});

/** Forwards every request, but reports rejected restores as successful. */
async function startDefectiveService(): Promise<string> {
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await buffer(request);
    const { authorization = '', 'content-type': type = '' } = headers;
    const answer = await fetch(new URL(url, holdall.url), {
      method,
      headers: { authorization, ...(type === '' ? {} : { 'content-type': type }) },
      ...(body.length === 0 ? {} : { body }),
    });
    const text = await answer.text();
    const isLie = url.endsWith('/restore') && !answer.ok && answer.status !== 404;
    response.writeHead(isLie ? 200 : answer.status, { 'content-type': 'application/json' });
    response.end(isLie ? '{"code":0,"msg":"success","data":null}' : text);
  });
  after(() => server.close());
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return `http://127.0.0.1:${address.port}`;
}
