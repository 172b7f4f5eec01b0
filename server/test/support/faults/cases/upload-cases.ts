import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { UploadTarget } from '../../../../src/http/fields.ts';
import type { Person } from '../../app/person.ts';
import { askTus, metadataOf, PIECE, TUS, TusUpload } from '../../uploads/tus.ts';
import { ok, openSession, putTo, SESSIONS } from '../../uploads/upload-session.ts';
import { type FaultCase, type Outcome, type Scene, sending } from '../fault-case.ts';
import { assertStored } from './drive-cases.ts';

const SMALL = 100;
const LARGE = 700_000;
/** The size of a part, and a bit more: two parts. */
const CHUNK = 8 * 1024 * 1024;
const TWO_PARTS = CHUNK + 1_000;

/** Uploads that take more than one request. */
export const UPLOAD_CASES: readonly FaultCase[] = [
  {
    route: 'POST /api/files/upload/initiate',
    prepare: async ({ alice }, name) =>
      sending(alice, 'POST', '/api/files/upload/initiate', { filename: name, size: SMALL }),
  },
  {
    route: 'PUT /api/files/upload/content',
    needs: 'proxied',
    prepare: async ({ alice }, name) => {
      const { target, bytes } = await initiate(alice, name, LARGE);
      return sending(alice, 'PUT', target.uploadUrl, bytes, { headers: target.headers });
    },
  },
  {
    route: 'POST /api/files/upload/complete',
    repeated: [400],
    prepare: async ({ alice }, name) => {
      const { target, bytes, file } = await initiate(alice, name, SMALL);
      if (target.direct) await putTo(target, bytes);
      else await alice.ask('PUT', target.uploadUrl, { body: bytes, headers: target.headers });
      const { storageName } = target;
      return {
        send: sending(alice, 'POST', '/api/files/upload/complete', { ...file, storageName }),
        check: () => assertStored(alice, file.path, bytes),
      };
    },
  },
  {
    route: 'POST /api/v2/files/upload-sessions',
    what: 'in one part',
    prepare: async ({ alice }, name) =>
      sending(alice, 'POST', SESSIONS, { filename: name, path: `/${name}`, size: SMALL }),
  },
  {
    route: 'POST /api/v2/files/upload-sessions',
    what: 'in parts',
    needs: 'direct',
    prepare: async ({ alice }, name) => sending(alice, 'POST', SESSIONS, { filename: name, size: TWO_PARTS }),
  },
  {
    route: 'DELETE /api/v2/files/upload-sessions/:sessionId',
    repeated: [400],
    prepare: async (scene, name) => {
      const { calls } = await sentSession(scene, name, LARGE);
      return {
        send: () => calls.cancel(),
        check: async () => assert.equal((await calls.get()).data.status, 'CANCELLED'),
      };
    },
  },
  {
    route: 'POST /api/v2/files/upload-sessions/:sessionId/content',
    needs: 'proxied',
    prepare: async ({ alice }, name) => {
      const bytes = randomBytes(LARGE);
      const { calls } = await openSession(alice, { filename: name, path: `/${name}`, size: bytes.length });
      return {
        send: () => calls.send(bytes),
        check: async () => {
          ok(await calls.complete());
          await assertStored(alice, `/${name}`, bytes);
        },
      };
    },
  },
  {
    route: 'GET /api/v2/files/upload-sessions/:sessionId/parts/:partIndex/prepare',
    needs: 'direct',
    prepare: async ({ alice }, name) => {
      const { calls } = await openSession(alice, { filename: name, size: TWO_PARTS });
      return () => calls.preparePart(0);
    },
  },
  {
    route: 'PUT /api/v2/files/upload-sessions/:sessionId/parts/:partIndex',
    needs: 'direct',
    prepare: async ({ alice }, name) => {
      const { calls } = await openSession(alice, { filename: name, size: TWO_PARTS });
      const etag = await putTo(ok(await calls.preparePart(1)), randomBytes(TWO_PARTS - CHUNK));
      return () => calls.recordPart(1, { etag, size: TWO_PARTS - CHUNK });
    },
  },
  completeCase('in one part', SMALL),
  { ...completeCase('in parts', TWO_PARTS), needs: 'direct' },
  {
    route: 'POST /api/v2/files/tus',
    what: 'empty so far',
    prepare:
      async ({ alice }, name) =>
      () =>
        createTus(alice, name, LARGE),
  },
  {
    route: 'POST /api/v2/files/tus',
    what: 'with all bytes',
    prepare: async ({ alice }, name) => {
      const bytes = randomBytes(SMALL);
      return {
        send: () => createTus(alice, name, SMALL, bytes),
        check: () => assertStored(alice, `/${name}`, bytes),
      };
    },
  },
  tusCase('small', SMALL),
  tusCase('large', LARGE),
  { ...tusCase('in parts', TWO_PARTS), needs: 's3' },
  {
    route: 'POST /api/v2/files/tus/:sessionId',
    what: 'as DELETE',
    repeated: [410],
    prepare: async ({ alice }, name) => {
      const tus = await TusUpload.create(alice, name, LARGE);
      return () => askTus(alice, 'POST', tus.path, { headers: { 'x-http-method-override': 'DELETE' } });
    },
  },
  {
    route: 'DELETE /api/v2/files/tus/:sessionId',
    repeated: [410],
    prepare: async ({ alice }, name) => {
      const tus = await TusUpload.create(alice, name, LARGE);
      await tus.patch(0, randomBytes(SMALL));
      return {
        send: () => tus.end(),
        check: async () => assert.equal((await tus.head()).status, 410),
      };
    },
  },
];

async function initiate(person: Person, name: string, size: number) {
  const file = { path: `/${name}`, filename: 'file', size };
  const target = await person.ask<UploadTarget & { storageName: string; direct: boolean }>(
    'POST',
    '/api/files/upload/initiate',
    { body: file },
  );
  return { target, file, bytes: randomBytes(size) };
}

/** A session whose bytes have all been sent. */
async function sentSession({ alice, isDirect }: Scene, name: string, size: number) {
  const bytes = randomBytes(size);
  const { calls } = await openSession(alice, { filename: name, path: `/${name}`, size });
  if (!isDirect) ok(await calls.send(bytes));
  else
    for (let index = 0; index * CHUNK < size; index += 1) {
      await calls.putPart(index, bytes.subarray(index * CHUNK, (index + 1) * CHUNK));
    }
  return { calls, bytes };
}

function completeCase(what: string, size: number): FaultCase {
  return {
    route: 'POST /api/v2/files/upload-sessions/:sessionId/complete',
    what,
    prepare: async (scene, name) => {
      const { calls, bytes } = await sentSession(scene, name, size);
      return {
        send: () => calls.complete(),
        check: () => assertStored(scene.alice, `/${name}`, bytes),
      };
    },
  };
}

function createTus(person: Person, name: string, size: number, body?: Uint8Array): Promise<Outcome> {
  const metadata = metadataOf({ filename: name, path: `/${name}` });
  const headers = { 'upload-length': `${size}`, 'upload-metadata': metadata };
  return askTus(person, 'POST', TUS, {
    headers: body === undefined ? headers : { ...headers, 'content-type': PIECE },
    body,
  });
}

/** Sends what the service has not acknowledged yet, as a client does that resumes. */
function tusCase(what: string, size: number): FaultCase {
  return {
    route: 'PATCH /api/v2/files/tus/:sessionId',
    what,
    prepare: async ({ alice }, name) => {
      const tus = await TusUpload.create(alice, name, size, { path: `/${name}` });
      const bytes = randomBytes(size);
      return {
        send: async () => {
          const head = await tus.head();
          if (head.status !== 200) return head;
          const offset = Number(head.headers.get('upload-offset'));
          return await tus.patch(offset, bytes.subarray(offset));
        },
        check: () => assertStored(alice, `/${name}`, bytes),
      };
    },
  };
}
