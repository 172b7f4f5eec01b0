// tier: full
// runs on: sqlite
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, test } from 'node:test';
import type { Role } from '../../../tools/fuzz/requests/draft.ts';
import { draftValidRequest } from '../../../tools/fuzz/requests/drafts.ts';
import { encodeRequest } from '../../../tools/fuzz/requests/encoding.ts';
import { KnownValues } from '../../../tools/fuzz/requests/known-values.ts';
import { OddValues } from '../../../tools/fuzz/requests/odd-values.ts';
import { type ApiDocument, listOperations } from '../../../tools/fuzz/requests/operations.ts';
import { Random } from '../../../tools/fuzz/requests/random.ts';
import { PICTURE } from '../../../tools/fuzz/requests/sample-files.ts';
import { FUZZ_ENVIRONMENT } from '../../../tools/fuzz/service/own-service.ts';
import { RawConnection } from '../../../tools/fuzz/service/raw-connection.ts';
import { isLong } from '../../../tools/testing/tiers.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { formOf, type Person } from '../support/app/person.ts';
import { type ChooseBodies, listHostileRequests } from '../support/stalls/hostile-requests.ts';
import { MAX_BLOCK_MS, measureBlock } from '../support/stalls/longest-block.ts';

const ANSWER_MS = 20_000;

const { app, url, register, admin } = await startHoldall({ env: FUZZ_ENVIRONMENT });
const people: Readonly<Record<'member' | 'admin', Person>> = {
  member: await register(),
  admin: await admin(),
};
const random = new Random(1);
const known = new KnownValues(random);
const context = { random, odd: new OddValues(random), known };
/**
 * The short form chooses two of every five or six texts. Over many operations, each text is still tried
 * often.
 */
const CHOSEN = 2;
const chance = new Random(randomInt(2 ** 31));
const choose: ChooseBodies = (all) =>
  isLong
    ? all
    : all
        .map((one) => ({ one, place: chance.below(2 ** 31) }))
        .sort((one, other) => one.place - other.place)
        .slice(0, CHOSEN)
        .map(({ one }) => one);
const connection = new RawConnection(url);
after(() => connection.close());
await createScene();

const document: ApiDocument = JSON.parse((await app.server.inject('/api/openapi.json')).body);
const operations = listOperations(document, app.server.listMountedRoutes()).filter(
  // A HEAD is served like its GET. This ends the sessions of the other tests.
  ({ method, name }) => method !== 'HEAD' && name !== 'POST /api/auth/logout',
);

for (const operation of operations) {
  test(`${operation.name} does not stop the service, whatever its largest texts are`, async () => {
    const role: Role & keyof typeof people = operation.url.startsWith('/api/admin') ? 'admin' : 'member';
    const slow: string[] = [];
    const draftValid = () => draftValidRequest(operation, role, context);
    for (const { name, draft } of listHostileRequests(operation, draftValid, choose)) {
      const request = encodeRequest(draft, 'localhost', people[role].token);
      const block = await measureBlock(() => connection.send(request.bytes, request.method, ANSWER_MS));
      if (block > MAX_BLOCK_MS) slow.push(`${name}: ${block.toFixed(0)} ms`);
    }
    assert.deepEqual(slow, []);
  });
}

/** Creates one thing of each kind, so requests get past the checks of ids. */
async function createScene(): Promise<void> {
  const { member } = people;
  const learn = (answer: unknown) => known.addAll('member', answer);
  const ask = async (method: string, path: string, body?: unknown) =>
    learn(await member.ask(method, path, body === undefined ? {} : { body }));
  const file = await member.upload('/Documents/a.txt', 'text');
  learn([file, await member.upload('/b.png', Uint8Array.from(PICTURE), 'image/png')]);
  await ask('POST', '/api/v2/shares', { fileId: file.id, password: 'correct horse' });
  await ask('POST', `/api/files/${file.id}/share-links`);
  await ask('POST', '/api/files/upload/initiate', { filename: 'c.txt', size: 16 });
  await ask('POST', '/api/v2/files/upload-sessions', { filename: 'd.txt', size: 16 });
  for (const mode of ['ONLINE', 'OFFLINE']) {
    await ask('POST', '/api/transfer/sessions', { mode, files: [{ name: 'e.txt', size: 16 }] });
  }
  await ask('POST', '/api/v2/tasks/archive', { fileId: file.id, path: file.path });
  await member.recycle(await member.ask('POST', '/api/files/upload', { body: formOf('/f.txt', 'f') }));
  learn(await member.bin());
  for (const list of ['users', 'storage-policies', 'shares', 'tasks', 'file-blobs']) {
    known.addAll('admin', await people.admin.ask('GET', `/api/admin/${list}`));
  }
}
