// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { TransferRecord } from '../../src/transfer/contract.ts';
import { type Holdall, startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { atEveryInstance } from '../support/checks/race.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { closeLockGate } from '../support/drives/lock-gate.ts';
import { REDUCTIONS, reduceDuring, startMemberRace } from '../support/drives/member-race.ts';
import { removeMember, rolesIn, setRole } from '../support/drives/members.ts';
import { createSharedDrive } from '../support/drives/shared-drives.ts';
import { FOLDER_LINKS, linkFolder } from '../support/folder-links/folder-links.ts';
import { ONE_FILE, TRANSFERS } from '../support/transfer/transfer.ts';

const env = { HOLDALL_RATE_LIMITS: 'off' };
const holdall = await startHoldall({ env });
const elsewhere: Holdall = isPostgres
  ? await startHoldall({ env: { ...env, HOLDALL_WORKER_CONCURRENCY: '0' }, beside: holdall })
  : holdall;
const instances = [holdall, elsewhere] as const;
const urls = instances.map(({ url }) => url);

afterEach(() => checkBooks(holdall));

test('of two managers who demote each other at once, one stays manager', async (context) => {
  const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
  const drive = await createSharedDrive(holdall, [
    [ann, 'MANAGER'],
    [bob, 'MANAGER'],
  ]);
  const gate = closeLockGate(context, instances, ({ driveId }) => driveId === drive);
  const there = atEveryInstance(bob, urls)[1] as Person;
  const answers = Promise.all([setRole(ann, drive, bob, 'VIEWER'), setRole(there, drive, ann, 'VIEWER')]);
  await gate.reached(2);
  gate.open();
  const statuses = (await answers).map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [200, 403]);
  const roles = (await rolesIn(ann, drive)).map(([, role]) => role);
  assert.deepEqual(roles.toSorted(), ['MANAGER', 'VIEWER']);
});

test('of two managers who leave at once, one stays manager', async (context) => {
  const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
  const drive = await createSharedDrive(holdall, [
    [ann, 'MANAGER'],
    [bob, 'MANAGER'],
  ]);
  const gate = closeLockGate(context, instances, ({ driveId }) => driveId === drive);
  const there = atEveryInstance(bob, urls)[1] as Person;
  const answers = Promise.all([removeMember(ann, drive, ann), removeMember(there, drive, bob)]);
  await gate.reached(2);
  gate.open();
  const statuses = (await answers).map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [200, 409]);
});

/** Something that a person shares, and the call that imports it. */
interface Import {
  readonly from: string;
  readonly prepare: (person: Person) => Promise<{ readonly address: string; readonly body: object }>;
}

const IMPORTS: readonly Import[] = [
  {
    from: 'a share',
    prepare: async (person) => {
      const { id: fileId } = await person.upload('/own', 'own');
      const { token } = await person.ask<{ token: string }>('POST', '/api/v2/shares', { body: { fileId } });
      return { address: `/api/v2/shares/${token}/import`, body: {} };
    },
  },
  {
    from: 'a share link',
    prepare: async (person) => {
      const { id } = await person.upload('/own', 'own');
      const { token } = await person.ask<{ token: string }>('POST', `/api/files/${id}/share-links`);
      return { address: `/api/files/share-links/${token}/import`, body: { path: '/' } };
    },
  },
  {
    from: 'a folder link',
    prepare: async (person) => {
      const { token } = await linkFolder(person, await person.mkdir('/linked'));
      await person.upload('/linked/own', 'own');
      return { address: `${FOLDER_LINKS}/${token}/import`, body: { path: '/own', targetPath: '/' } };
    },
  },
  {
    from: 'a transfer',
    prepare: async (person) => {
      const made = await person.ask<TransferRecord>('POST', TRANSFERS, {
        body: { mode: 'OFFLINE', files: ONE_FILE },
      });
      const address = `${TRANSFERS}/${made.sessionId}/files/${made.files[0]?.id}`;
      const headers = { 'content-type': 'application/octet-stream' };
      await person.ask('POST', `${address}/content`, { body: Buffer.from('bytes'), headers });
      return { address: `${address}/import`, body: { path: '/' } };
    },
  },
];

for (const { what, status, reduce } of REDUCTIONS) {
  describe(`nothing takes effect after its editor was ${what}:`, () => {
    for (const { from, prepare } of IMPORTS) {
      test(`an import from ${from}`, async (context) => {
        const { manager, ann, bob, editor, drive, holdChanges } = await startMemberRace(instances);
        const { address, body } = await prepare(bob);
        const gate = holdChanges(context);
        const answer = await reduceDuring(
          gate,
          () => reduce(manager, drive, bob),
          () => editor.call('POST', address, { body }),
        );
        assert.equal(answer.status, status);
        assert.deepEqual(await ann.names(), []);
      });
    }

    test('a restore from the bin', async (context) => {
      const { manager, ann, bob, editor, drive, holdChanges } = await startMemberRace(instances);
      const file = await ann.upload('/recycled', 'recycled');
      await ann.recycle(file);
      const gate = holdChanges(context);
      const answer = await reduceDuring(
        gate,
        () => reduce(manager, drive, bob),
        () => editor.call('POST', `/api/files/recycle-bin/${file.id}/restore`),
      );
      assert.equal(answer.status, status);
      assert.deepEqual(await ann.names(), []);
    });
  });
}

test('a change that has the lock of the drive takes effect before the removal', async (context) => {
  const { manager, ann, bob, editor, drive } = await startMemberRace(instances);
  const gate = closeLockGate(context, instances, ({ accountId }) => accountId === manager.id);
  const removing = removeMember(manager, drive, bob);
  await gate.reached();
  await editor.mkdir('/in time');
  gate.open();
  assert.equal((await removing).status, 200);
  await editor.refused(404, 1003, 'POST', '/api/files/mkdir', { body: { path: '/too late' } });
  assert.deepEqual(await ann.names(), ['in time']);
});

test('an archive download that is prepared during the removal cannot be used', async (context) => {
  const { manager, bob, editor, drive } = await startMemberRace(instances);
  const directory = await editor.mkdir('/directory');
  const { zipTickets } = holdall.app.drive;
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const create = zipTickets.create.bind(zipTickets);
  const held: typeof zipTickets.create = async (...request) => {
    reached.resolve();
    await opened.promise;
    return create(...request);
  };
  context.mock.method(zipTickets, 'create', held);
  const creating = editor.ask<{ url: string }>('POST', '/api/v2/downloads', {
    body: { fileIds: [directory.id] },
  });
  await reached.promise;
  assert.equal((await removeMember(manager, drive, bob)).status, 200);
  opened.resolve();
  const { pathname, search } = new URL((await creating).url);
  await bob.refused(404, 2404, 'GET', `${pathname}${search}`);
});
