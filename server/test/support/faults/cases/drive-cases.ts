import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { formOf, type Person } from '../../app/person.ts';
import { type FaultCase, fetchBytes, type ReadyRequest, sending } from '../fault-case.ts';

const SMALL = 100;
const LARGE = 700_000;
/** More than one part of a multipart upload. */
const IN_PARTS = 9_000_000;

/** A drive's tree, and forms with files. */
export const DRIVE_CASES: readonly FaultCase[] = [
  {
    route: 'POST /api/files/mkdir',
    prepare: async ({ alice }, name) => ({
      send: sending(alice, 'POST', '/api/files/mkdir', { path: `/${name}/below` }),
      check: async () => assert.deepEqual(await alice.names(`/${name}`), ['below']),
    }),
  },
  uploadCase('small', SMALL),
  uploadCase('large', LARGE),
  { ...uploadCase('in parts', IN_PARTS), needs: 's3' },
  {
    route: 'PUT /api/v2/files/:fileId/content',
    prepare: async ({ alice }, name) => {
      const { id } = await alice.upload(`/${name}`, 'old');
      return {
        send: () => alice.call('PUT', `/api/v2/files/${id}/content`, { body: name }),
        check: async () => assert.equal((await alice.download({ id })).toString(), name),
      };
    },
  },
  {
    route: 'POST /api/v2/files/:fileId/versions/:versionId/restore',
    prepare: async ({ alice }, name) => {
      const { id, version } = await prepareVersion(alice, name);
      return {
        send: sending(alice, 'POST', `/api/v2/files/${id}/versions/${version}/restore`),
        check: async () => assert.equal((await alice.download({ id })).toString(), 'old'),
      };
    },
  },
  {
    route: 'DELETE /api/v2/files/:fileId/versions/:versionId',
    prepare: async ({ alice }, name) => {
      const { id, version } = await prepareVersion(alice, name);
      return {
        send: sending(alice, 'DELETE', `/api/v2/files/${id}/versions/${version}`),
        check: async () => assert.deepEqual(await alice.ask('GET', `/api/v2/files/${id}/versions`), []),
      };
    },
  },
  {
    route: 'PATCH /api/files/:fileId/rename',
    prepare: async ({ alice }, name) => {
      const { id } = await alice.upload(`/${name}`, name);
      return {
        send: sending(alice, 'PATCH', `/api/files/${id}/rename`, { filename: `${name} renamed` }),
        check: async () => assert.equal((await alice.details({ id })).filename, `${name} renamed`),
      };
    },
  },
  {
    route: 'PATCH /api/files/:fileId/move',
    prepare: async ({ alice }, name) => {
      const { id } = await alice.upload(`/${name}/file`, name);
      const { path } = await alice.mkdir(`/${name}/target`);
      return {
        send: sending(alice, 'PATCH', `/api/files/${id}/move`, { path }),
        check: async () => assert.equal((await alice.details({ id })).parentPath, path),
      };
    },
  },
  {
    route: 'PUT /api/v2/files/:fileId/star',
    prepare: async ({ alice }, name) => {
      const { id } = await alice.mkdir(`/${name}`);
      return {
        send: sending(alice, 'PUT', `/api/v2/files/${id}/star`),
        check: async () => assert.equal((await alice.details({ id })).starred, true),
      };
    },
  },
  {
    route: 'DELETE /api/v2/files/:fileId/star',
    prepare: async ({ alice }, name) => {
      const { id } = await alice.mkdir(`/${name}`);
      await alice.ask('PUT', `/api/v2/files/${id}/star`);
      return {
        send: sending(alice, 'DELETE', `/api/v2/files/${id}/star`),
        check: async () => assert.equal((await alice.details({ id })).starred, false),
      };
    },
  },
  {
    route: 'POST /api/files/:fileId/copy',
    prepare: async ({ alice }, name) => {
      const { id } = await alice.mkdir(`/${name}`);
      await alice.upload(`/${name}/file`, name);
      return {
        send: sending(alice, 'POST', `/api/files/${id}/copy`, { path: '/Documents' }),
        check: async () => assert.deepEqual(await alice.names(`/Documents/${name}`), ['file']),
      };
    },
  },
  {
    route: 'POST /api/v2/downloads',
    prepare: async ({ alice }, name) => {
      const { id } = await alice.upload(`/${name}`, name);
      return { send: sending(alice, 'POST', '/api/v2/downloads', { fileIds: [id] }) };
    },
  },
  {
    route: 'DELETE /api/files/:fileId',
    prepare: async ({ alice }, name) => {
      const file = await alice.upload(`/${name}`, name);
      return {
        send: sending(alice, 'DELETE', `/api/files/${file.id}`),
        check: () => assertGone(alice, file),
      };
    },
  },
  {
    route: 'POST /api/files/recycle-bin/:fileId/restore',
    prepare: async ({ alice }, name) => {
      const file = await alice.upload(`/${name}`, name);
      await alice.recycle(file);
      return {
        send: sending(alice, 'POST', `/api/files/recycle-bin/${file.id}/restore`),
        check: async () => assert.equal((await alice.download(file)).toString(), name),
      };
    },
  },
  {
    route: 'DELETE /api/files/recycle-bin/:fileId',
    prepare: async ({ alice }, name) => {
      const file = await alice.upload(`/${name}`, name);
      await alice.recycle(file);
      return sending(alice, 'DELETE', `/api/files/recycle-bin/${file.id}`);
    },
  },
  {
    route: 'DELETE /api/files/recycle-bin',
    prepare: async ({ alice }, name) => {
      // Otherwise the number of calls would depend on what other cases have left.
      await alice.ask('DELETE', '/api/files/recycle-bin');
      await alice.recycle(await alice.upload(`/${name}`, name));
      return {
        send: sending(alice, 'DELETE', '/api/files/recycle-bin'),
        check: async () => assert.deepEqual((await alice.bin()).items, []),
      };
    },
  },
  {
    route: 'POST /api/files/:fileId/share-links',
    prepare: async ({ alice }, name) => {
      const { id } = await alice.upload(`/${name}`, name);
      return sending(alice, 'POST', `/api/files/${id}/share-links`);
    },
  },
  {
    route: 'POST /api/files/share-links/:token/import',
    prepare: async ({ alice, bob }, name) => {
      const file = await alice.upload(`/${name}`, name);
      const { token } = await alice.ask<{ token: string }>('POST', `/api/files/${file.id}/share-links`);
      return {
        send: sending(bob, 'POST', `/api/files/share-links/${token}/import`),
        check: async () => assert.ok((await bob.names()).includes(name)),
      };
    },
  },
  {
    route: 'GET /api/files/download/:fileId',
    prepare: async ({ alice }, name) => {
      const bytes = randomBytes(LARGE);
      const { id } = await alice.upload(`/${name}`, bytes);
      return () => fetchBytes(alice, `/api/files/download/${id}`, bytes);
    },
  },
];

function uploadCase(what: string, size: number): FaultCase {
  return {
    route: 'POST /api/files/upload',
    what,
    prepare: async ({ alice }, name) => {
      const bytes = randomBytes(size);
      return {
        send: () => alice.call('POST', '/api/files/upload', { body: formOf(`/${name}/new/${what}`, bytes) }),
        check: () => assertStored(alice, `/${name}/new`, bytes),
      } satisfies ReadyRequest;
    },
  };
}

/** Asserts that the only file of a directory has these bytes. */
export async function assertStored(person: Person, directory: string, bytes: Uint8Array): Promise<void> {
  const [file, ...more] = (await person.list(directory)).items;
  assert.ok(file !== undefined && more.length === 0);
  assert.ok((await person.download(file)).equals(bytes));
}

async function assertGone(person: Person, { id }: { id: number }): Promise<void> {
  assert.equal((await person.call('GET', `/api/v2/files/${id}`)).status, 404);
}

/** A file with a version that has the content "old". */
async function prepareVersion(alice: Person, name: string): Promise<{ id: number; version: number }> {
  const { id } = await alice.upload(`/${name}`, 'old');
  await alice.ask('PUT', `/api/v2/files/${id}/content`, { body: name });
  const [version] = await alice.ask<readonly { id: number }[]>('GET', `/api/v2/files/${id}/versions`);
  return { id, version: version?.id ?? 0 };
}
