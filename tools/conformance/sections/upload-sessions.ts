import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { UploadTarget } from '../../../server/src/http/fields.ts';
import type { SessionRecord, SessionWithRuntime } from '../../../server/src/uploads/contract.ts';
import type { Person } from '../../../server/test/support/app/person.ts';
import { refuse } from '../refusals.ts';
import { uniqueName } from '../scene.ts';
import type { Section } from '../suite.ts';
import { sendTo } from './send-to.ts';

const SESSIONS = '/api/v2/files/upload-sessions';
const STRATEGY_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  DIRECT_SINGLE: ['completeUrl', 'prepareUrl'],
  DIRECT_MULTIPART: ['completeUrl', 'partPrepareUrlTemplate', 'partRecordUrlTemplate'],
  PROXY: ['completeUrl', 'proxyContentUrl', 'proxyFormField'],
};

export const uploadSessions: Section = {
  title: 'Upload sessions',
  checks: {
    'a session has the strategy of its mode': async ({ person }) => {
      const session = await open(await person(), 5);
      assert.deepEqual(Object.keys(session.strategy).sort(), STRATEGY_MEMBERS[session.uploadMode]);
      assert.deepEqual(
        [session.directUpload, session.multipartUpload],
        [session.uploadMode !== 'PROXY', session.uploadMode === 'DIRECT_MULTIPART'],
      );
      assert.equal(session.status, 'CREATED');
      assert.ok(session.objectKey.length > 0 && Number.isInteger(session.storagePolicyId));
    },
    'a completed session is a file': async ({ person }) => {
      const alice = await person();
      for (const bytes of [randomBytes(100_000), Buffer.alloc(0)]) {
        const session = await open(alice, bytes.length);
        await send(alice, session, bytes);
        const completed = await alice.ask<SessionRecord>('POST', `${SESSIONS}/${session.sessionId}/complete`);
        assert.equal(completed.status, 'COMPLETED');
        assert.ok(completed.fileId !== null && completed.fileId !== undefined);
        assert.deepEqual(await alice.download({ id: completed.fileId }), bytes);
      }
    },
    'a repeated completion gives the same file': async ({ person }) => {
      const alice = await person();
      const session = await open(alice, 3);
      await send(alice, session, Buffer.from('abc'));
      const complete = () => alice.ask<SessionRecord>('POST', `${SESSIONS}/${session.sessionId}/complete`);
      const [first, second] = await Promise.all([complete(), complete()]);
      assert.equal(first.fileId, second.fileId);
      assert.equal((await complete()).fileId, first.fileId);
    },
    'a session without its content cannot be completed': async ({ person }) => {
      const alice = await person();
      const session = await open(alice, 3);
      await refuse('rejected', alice, 'POST', `${SESSIONS}/${session.sessionId}/complete`);
    },
    'a cancelled session accepts no uploads': async ({ person }) => {
      const alice = await person();
      const session = await open(alice, 3);
      const cancelled = await alice.ask<SessionRecord>('DELETE', `${SESSIONS}/${session.sessionId}`);
      assert.equal(cancelled.status, 'CANCELLED');
      await refuse('rejected', alice, 'POST', `${SESSIONS}/${session.sessionId}/complete`);
      await refuse('rejected', alice, 'DELETE', `${SESSIONS}/${session.sessionId}`);
    },
    'the sessions of others are not found': async ({ person }) => {
      const session = await open(await person(), 3);
      const bob = await person('bob');
      for (const [method, path] of [
        ['GET', ''],
        ['DELETE', ''],
        ['POST', '/complete'],
      ] as const) {
        await refuse('not-found', bob, method, `${SESSIONS}/${session.sessionId}${path}`);
      }
    },
    'a live session shows its progress': async ({ person }) => {
      const alice = await person();
      const session = await open(alice, 3);
      await send(alice, session, Buffer.from('abc'));
      const { runtime } = await alice.ask<SessionWithRuntime>('GET', `${SESSIONS}/${session.sessionId}`);
      assert.ok(runtime !== null);
      assert.deepEqual([runtime.uploadedBytes, runtime.progressPercent], [3, 100]);
    },
    'a taken name and a lack of space are refused at creation': async (scene) => {
      const alice = await scene.newcomer();
      const admin = await scene.admin();
      await alice.upload('/taken', 'a');
      const announce = (filename: string, size: number) => ({ body: { path: '/', filename, size } });
      await refuse('conflict', alice, 'POST', SESSIONS, announce('taken', 1));
      const body = { storageQuotaBytes: 10 };
      await admin.ask('PATCH', `/api/admin/users/${alice.id}/storage-quota`, { body });
      await refuse('over-limit', alice, 'POST', SESSIONS, announce('large', 10));
    },
    'the calls of another mode and parts out of range are refused': async ({ person }) => {
      const alice = await person();
      const session = await open(alice, 3);
      const url = `${SESSIONS}/${session.sessionId}`;
      const part = { body: { etag: 'abc', size: 3 } };
      const form = new FormData();
      form.set('file', new Blob(['abc']), 'a');
      if (session.uploadMode !== 'PROXY')
        await refuse('rejected', alice, 'POST', `${url}/content`, { body: form });
      if (session.uploadMode !== 'DIRECT_SINGLE') await refuse('rejected', alice, 'GET', `${url}/prepare`);
      const beyond = session.uploadMode === 'DIRECT_MULTIPART' ? session.chunkCount : 0;
      for (const [method, path, options] of [
        ['GET', `${url}/parts/${beyond}/prepare`, {}],
        ['PUT', `${url}/parts/${beyond}`, part],
      ] as const) {
        assert.equal((await alice.call(method, path, options)).status, 400);
      }
    },
    'content of another length is refused': async ({ person }) => {
      const alice = await person();
      const session = await open(alice, 3);
      if (session.uploadMode !== 'PROXY') return;
      const form = new FormData();
      form.set('file', new Blob(['ab']), 'a');
      await refuse('invalid', alice, 'POST', `${SESSIONS}/${session.sessionId}/content`, { body: form });
    },
  },
};

function open(person: Person, size: number): Promise<SessionRecord> {
  const body = { path: '/', filename: uniqueName('session'), size, contentType: 'text/plain' };
  return person.ask('POST', SESSIONS, { body });
}

async function send(person: Person, session: SessionRecord, bytes: Buffer<ArrayBuffer>): Promise<void> {
  const url = `${SESSIONS}/${session.sessionId}`;
  if (session.uploadMode === 'PROXY') {
    const form = new FormData();
    form.set('file', new Blob([bytes]), 'a');
    await person.ask('POST', `${url}/content`, { body: form });
  } else if (session.uploadMode === 'DIRECT_SINGLE') {
    await sendTo(person, await person.ask<UploadTarget>('GET', `${url}/prepare`), bytes);
  } else {
    for (let index = 0; index < session.chunkCount; index += 1) {
      const part = bytes.subarray(index * session.chunkSize, (index + 1) * session.chunkSize);
      const target = await person.ask<UploadTarget>('GET', `${url}/parts/${index}/prepare`);
      const etag = await sendTo(person, target, part);
      await person.ask('PUT', `${url}/parts/${index}`, { body: { etag, size: part.length } });
    }
  }
}
