import assert from 'node:assert/strict';
import type { EntryRecord } from '../../../server/src/drive/contract.ts';
import type { TransferRecord } from '../../../server/src/transfer/contract.ts';
import type { Person } from '../../../server/test/support/app/person.ts';
import {
  join,
  lookUp,
  ONE_FILE,
  openOnline,
  Peer,
  TRANSFERS,
} from '../../../server/test/support/transfer/transfer.ts';
import { refuse } from '../refusals.ts';
import type { Section } from '../suite.ts';
import { fetchFile } from './fetch-file.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export const transfer: Section = {
  title: 'Quick transfer',
  checks: {
    'an ONLINE session needs no login and lives 15 minutes': async ({ anonymous }) => {
      const session = await openOnline(anonymous);
      assert.match(session.pickupCode, /^[0-9A-Z]{6}$/);
      assert.deepEqual([session.mode, session.status], ['ONLINE', 'WAITING']);
      assert.equal(Date.parse(session.expiresAt) - Date.parse(session.createdAt), 15 * MINUTE_MS);
    },
    'a code is found in any case and spelling, and a wrong one is not': async ({ anonymous }) => {
      const { pickupCode, sessionId } = await openOnline(anonymous);
      const spelled = `${pickupCode.slice(0, 3)} - ${pickupCode.slice(3)}`.toLowerCase();
      assert.equal((await lookUp(anonymous, spelled)).data.sessionId, sessionId);
      await refuse('not-found', anonymous, 'GET', `${TRANSFERS}/lookup?pickupCode=222222`);
    },
    'only one of many receivers joins an ONLINE session': async ({ anonymous }) => {
      const { sessionId } = await openOnline(anonymous);
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => anonymous.call('POST', `${TRANSFERS}/${sessionId}/join`)),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(5).fill(409)]);
    },
    'signals reach the other side in their order': async ({ anonymous }) => {
      const session = await openOnline(anonymous);
      const sender = new Peer(anonymous, session);
      const receiver = new Peer(anonymous, await join(anonymous, session));
      await sender.send('offer', { sdp: 'first' });
      await sender.send('candidate', { candidate: 'second' });
      const { items, nextCursor } = await receiver.read();
      assert.deepEqual(
        items.map(({ type }) => type),
        ['offer', 'candidate'],
      );
      assert.deepEqual((await receiver.read(nextCursor)).items, []);
      assert.deepEqual(
        (await sender.read()).items.map(({ type }) => type),
        ['peer-joined'],
      );
      await receiver.send('answer', { sdp: 'third' });
      assert.equal((await sender.read()).items.at(-1)?.type, 'answer');
    },
    'an OFFLINE session needs a login and lives seven days': async ({ anonymous, person }) => {
      const body = { mode: 'OFFLINE', files: ONE_FILE };
      await refuse('unauthenticated', anonymous, 'POST', TRANSFERS, { body });
      const session = await openOffline(await person());
      assert.equal(Date.parse(session.expiresAt) - Date.parse(session.createdAt), 7 * DAY_MS);
      await refuse('rejected', await person(), 'POST', `${TRANSFERS}/${session.sessionId}/signals`, {
        body: { type: 'offer', payload: {} },
      });
    },
    'an OFFLINE session is downloadable when it is ready, again and again': async (scene) => {
      const alice = await scene.person();
      const session = await openOffline(alice);
      const url = fileUrl(session);
      await refuse('rejected', scene.anonymous, 'GET', `${url}/download`);
      await refuse('unauthenticated', scene.anonymous, 'POST', `${url}/content`, { body: formOf('hello') });
      const bob = await scene.person('bob');
      const foreign = await bob.call('POST', `${url}/content`, { body: formOf('hello') });
      assert.ok([403, 404].includes(foreign.status), `it was ${foreign.status}`);
      await alice.ask('POST', `${url}/content`, { body: formOf('hello') });
      const joined = await join(scene.anonymous, session);
      assert.equal(joined.status, 'READY');
      for (let times = 0; times < 2; times += 1) {
        const response = await fetchFile(scene.anonymous, `${url}/download`);
        assert.deepEqual([response.status, await response.text()], [200, 'hello']);
      }
    },
    'content of another length than announced is refused': async ({ person }) => {
      const alice = await person();
      const url = fileUrl(await openOffline(alice));
      assert.notEqual((await alice.call('POST', `${url}/content`, { body: formOf('hell') })).code, 0);
      assert.notEqual((await alice.call('POST', `${url}/content`, { body: formOf('hello!') })).code, 0);
      await alice.ask('POST', `${url}/content`, { body: formOf('hello') });
    },
    'an OFFLINE file is imported into the drive': async (scene) => {
      const alice = await scene.person();
      const session = await openOffline(alice);
      await alice.ask('POST', `${fileUrl(session)}/content`, { body: formOf('hello') });
      const bob = await scene.person('bob');
      const options = { body: { path: await scene.directory(bob) } };
      await refuse('unauthenticated', scene.anonymous, 'POST', `${fileUrl(session)}/import`, options);
      const record = await bob.ask<EntryRecord>('POST', `${fileUrl(session)}/import`, options);
      assert.equal((await bob.download(record)).toString(), 'hello');
      await refuse('conflict', bob, 'POST', `${fileUrl(session)}/import`, options);
    },
    'a user lists the own OFFLINE sessions': async ({ person }) => {
      const alice = await person();
      const session = await openOffline(alice);
      const mine = await alice.ask<readonly TransferRecord[]>('GET', `${TRANSFERS}/offline/mine`);
      assert.ok(mine.some(({ pickupCode }) => pickupCode === session.pickupCode));
      const others = await (await person('bob')).ask<readonly TransferRecord[]>(
        'GET',
        `${TRANSFERS}/offline/mine`,
      );
      assert.ok(!others.some(({ sessionId }) => sessionId === session.sessionId));
    },
    'the offline storage limit holds': async (scene) => {
      const admin = await scene.admin();
      const limit = '/api/admin/settings/offline-transfer-storage-limit';
      const { offlineTransferStorageBytes: used, offlineTransferStorageLimitBytes: before } =
        await admin.ask<{
          offlineTransferStorageBytes: number;
          offlineTransferStorageLimitBytes: number;
        }>('GET', '/api/admin/summary');
      const set = (bytes: number) =>
        admin.ask('PATCH', limit, { body: { offlineTransferStorageLimitBytes: bytes } });
      await set(used + 4);
      try {
        const body = { mode: 'OFFLINE', files: ONE_FILE };
        await refuse('over-limit', await scene.person(), 'POST', TRANSFERS, { body });
      } finally {
        await set(before);
      }
    },
  },
};

function openOffline(person: Person): Promise<TransferRecord> {
  return person.ask('POST', TRANSFERS, { body: { mode: 'OFFLINE', files: ONE_FILE } });
}

function fileUrl({ sessionId, files: [file] }: TransferRecord): string {
  return `${TRANSFERS}/${sessionId}/files/${file?.id}`;
}

function formOf(content: string): FormData {
  const form = new FormData();
  form.set('file', new Blob([content]), 'letter.txt');
  return form;
}
