import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { EXAMPLE } from '../../../../src/http/examples.ts';
import type { UploadTarget } from '../../../../src/http/fields.ts';
import { askTus, metadataOf, PIECE, TUS, TusUpload } from '../../uploads/tus.ts';
import { ok, openSession, putTo, SESSIONS } from '../../uploads/upload-session.ts';
import type { NeedsByName } from '../example-case.ts';
import { type FaultCase, resume, type Scene, sending } from '../fault-case.ts';
import { filledSession, tusUpload, uploadSession } from '../fixtures/drive.ts';
import { assertContent, assertStored } from './drive-cases.ts';

const SMALL = 100;
const LARGE = 700_000;
/** The size of one part. A bit more makes two parts. */
const CHUNK = 8 * 1024 * 1024;
const TWO_PARTS = CHUNK + 1_000;

/** Uploads that take more than one request. */
export const UPLOAD_NEEDS: NeedsByName = {
  'PUT /api/files/upload/content': { needs: 'proxied' },
  'POST /api/files/upload/complete': {
    repeated: [400],
    check: ({ owner }) => assertContent(owner, 'letter.txt', EXAMPLE.content),
  },
  'DELETE /api/v2/files/upload-sessions/{sessionId}': {
    repeated: [400],
    check: async (fixture) => {
      const { data } = await (await fixture.once(filledSession)).get();
      assert.equal(data.status, 'CANCELLED');
    },
  },
  'POST /api/v2/files/upload-sessions/{sessionId}/content': {
    needs: 'proxied',
    check: async (fixture) => {
      ok(await (await fixture.once(uploadSession)).complete());
      await assertContent(fixture.owner, 'letter.txt', EXAMPLE.content);
    },
  },
  'PUT /api/v2/files/upload-sessions/{sessionId}/parts/{partIndex}': {
    needs: 'direct',
    request: async ({ owner }) => {
      const { calls } = await openSession(owner, { filename: 'parts', size: TWO_PARTS });
      const etag = await putTo(ok(await calls.preparePart(1)), randomBytes(TWO_PARTS - CHUNK));
      return {
        path: { sessionId: calls.id, partIndex: 1 },
        body: { etag, size: TWO_PARTS - CHUNK },
      };
    },
  },
  'POST /api/v2/files/upload-sessions/{sessionId}/complete': {
    check: ({ owner }) => assertContent(owner, 'letter.txt', EXAMPLE.content),
  },
  'PATCH /api/v2/files/tus/{sessionId}': {
    check: ({ owner }) => assertContent(owner, 'tus.txt', EXAMPLE.content),
  },
  'DELETE /api/v2/files/tus/{sessionId}': {
    repeated: [410],
    check: async (fixture) => assert.equal((await (await fixture.once(tusUpload)).head()).status, 410),
  },
};

/** Cases without an example. */
export const MORE_UPLOAD_CASES: readonly FaultCase[] = [
  {
    route: 'PUT /api/files/upload/content',
    what: 'large',
    needs: 'proxied',
    prepare: async ({ alice }, name) => {
      const body = { path: `/${name}`, filename: 'file', size: LARGE };
      const target = await alice.ask<UploadTarget>('POST', '/api/files/upload/initiate', { body });
      return sending(alice, 'PUT', target.uploadUrl, randomBytes(LARGE), { headers: target.headers });
    },
  },
  {
    route: 'POST /api/v2/files/upload-sessions',
    what: 'in parts',
    needs: 'direct',
    prepare: async ({ alice }, name) => sending(alice, 'POST', SESSIONS, { filename: name, size: TWO_PARTS }),
  },
  {
    route: 'POST /api/v2/files/upload-sessions/{sessionId}/content',
    what: 'large',
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
    route: 'GET /api/v2/files/upload-sessions/{sessionId}/parts/{partIndex}/prepare',
    needs: 'direct',
    prepare: async ({ alice }, name) => {
      const { calls } = await openSession(alice, { filename: name, size: TWO_PARTS });
      return () => calls.preparePart(0);
    },
  },
  {
    route: 'POST /api/v2/files/upload-sessions/{sessionId}/complete',
    what: 'in parts',
    needs: 'direct',
    prepare: async (scene, name) => {
      const { calls, bytes } = await openSentSession(scene, name);
      return {
        send: () => calls.complete(),
        check: () => assertStored(scene.alice, `/${name}`, bytes),
      };
    },
  },
  {
    route: `POST ${TUS}`,
    what: 'with all bytes',
    prepare: async ({ alice }, name) => {
      const bytes = randomBytes(SMALL);
      const metadata = metadataOf({ filename: name, path: `/${name}` });
      const headers = { 'upload-length': `${SMALL}`, 'upload-metadata': metadata, 'content-type': PIECE };
      return {
        send: () => askTus(alice, 'POST', TUS, { headers, body: bytes }),
        check: () => assertStored(alice, `/${name}`, bytes),
      };
    },
  },
  tusCase('large', LARGE),
  { ...tusCase('in parts', TWO_PARTS), needs: 's3' },
];

/** A session whose bytes have all been sent. */
async function openSentSession({ alice }: Scene, name: string) {
  const bytes = randomBytes(TWO_PARTS);
  const { calls } = await openSession(alice, { filename: name, path: `/${name}`, size: TWO_PARTS });
  await calls.putPart(0, bytes.subarray(0, CHUNK));
  await calls.putPart(1, bytes.subarray(CHUNK));
  return { calls, bytes };
}

function tusCase(what: string, size: number): FaultCase {
  return {
    route: `PATCH ${TUS}/{sessionId}`,
    what,
    prepare: async ({ alice }, name) => {
      const upload = await TusUpload.create(alice, name, size, { path: `/${name}` });
      const bytes = randomBytes(size);
      return {
        send: () => resume(upload, bytes),
        check: () => assertStored(alice, `/${name}`, bytes),
      };
    },
  };
}
