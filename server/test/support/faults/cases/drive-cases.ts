import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { EXAMPLE } from '../../../../src/http/examples.ts';
import { formOf, type Person } from '../../app/person.ts';
import type { NeedsByName } from '../example-case.ts';
import { type FaultCase, fetchBytes } from '../fault-case.ts';
import type { Fixture } from '../fixture.ts';
import { EARLIER_TEXT, file, recycled, targetDrive } from '../fixtures/drive.ts';
import { shareLink, visitor } from '../fixtures/sharing.ts';

const LARGE = 700_000;
/** Large enough for more than one part of a multipart upload. */
const IN_PARTS = 9_000_000;

/** Operations on a drive's tree, and uploads by form. */
export const DRIVE_NEEDS: NeedsByName = {
  'POST /api/files/mkdir': {
    check: async ({ owner }) => assert.deepEqual(await owner.names('/Letters'), ['2026']),
  },
  'POST /api/files/upload': {
    check: ({ owner }) => assertContent(owner, 'file.txt', EXAMPLE.content),
  },
  'PUT /api/v2/files/{fileId}/content': {
    check: async (fixture) => assert.equal(await read(fixture, file), EXAMPLE.content),
  },
  'POST /api/v2/files/{fileId}/versions/{versionId}/restore': {
    check: async (fixture) => assert.equal(await read(fixture, file), EARLIER_TEXT),
  },
  'DELETE /api/v2/files/{fileId}/versions/{versionId}': {
    check: async (fixture) => {
      const { id } = await fixture.once(file);
      assert.deepEqual(await fixture.owner.ask('GET', `/api/v2/files/${id}/versions`), []);
    },
  },
  'PATCH /api/files/{fileId}/rename': {
    check: async (fixture) => assert.equal((await details(fixture)).filename, 'renamed.txt'),
  },
  'PATCH /api/files/{fileId}/move': {
    check: async (fixture) => assert.equal((await details(fixture)).parentPath, '/'),
  },
  'PUT /api/v2/files/{fileId}/star': {
    check: async (fixture) => assert.equal((await details(fixture)).starred, true),
  },
  'DELETE /api/v2/files/{fileId}/star': {
    before: async (fixture) => {
      await fixture.owner.ask('PUT', `/api/v2/files/${(await fixture.once(file)).id}/star`);
    },
    check: async (fixture) => assert.equal((await details(fixture)).starred, false),
  },
  'POST /api/files/{fileId}/copy': {
    check: async ({ owner }) => {
      const copies = (await owner.names()).filter((name) => name.startsWith('example-directory '));
      assert.deepEqual(await owner.names(`/${copies[0]}`), ['file.txt']);
    },
  },
  'POST /api/v2/files/{fileId}/copy-to': {
    check: async (fixture) => {
      assert.deepEqual(await namesInTarget(fixture), ['file.txt']);
      assert.equal(await read(fixture, file), EARLIER_TEXT);
    },
  },
  'POST /api/v2/files/{fileId}/move-to': {
    check: async (fixture) => {
      assert.deepEqual(await namesInTarget(fixture), ['file.txt']);
      const { id } = await fixture.once(file);
      assert.equal((await fixture.owner.call('GET', `/api/v2/files/${id}`)).status, 404);
    },
  },
  'DELETE /api/files/{fileId}': {
    check: async (fixture) => {
      const { id } = await fixture.once(file);
      assert.equal((await fixture.owner.call('GET', `/api/v2/files/${id}`)).status, 404);
    },
  },
  'POST /api/files/recycle-bin/{fileId}/restore': {
    check: async (fixture) => assert.equal(await read(fixture, recycled), fixture.name),
  },
  'DELETE /api/files/recycle-bin': {
    before: recycled,
    check: async ({ owner }) => assert.deepEqual((await owner.bin()).items, []),
  },
  'POST /api/files/share-links/{token}/import': {
    sender: (fixture) => fixture.once(visitor),
    before: shareLink,
    check: async (fixture) => assertContent(await fixture.once(visitor), 'file.txt', EARLIER_TEXT),
  },
};

/** Cases without an example. */
export const MORE_DRIVE_CASES: readonly FaultCase[] = [
  uploadCase('large', LARGE),
  { ...uploadCase('in parts', IN_PARTS), needs: 's3' },
  {
    route: 'GET /api/files/download/{fileId}',
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
      };
    },
  };
}

/** Asserts that the only file of a directory has these bytes. */
export async function assertStored(person: Person, directory: string, bytes: Uint8Array): Promise<void> {
  const [stored, ...more] = (await person.list(directory)).items;
  assert.ok(stored !== undefined && more.length === 0);
  assert.ok((await person.download(stored)).equals(bytes));
}

async function details(fixture: Fixture) {
  return fixture.owner.details(await fixture.once(file));
}

async function read(fixture: Fixture, make: typeof file): Promise<string> {
  return (await fixture.owner.download(await fixture.once(make))).toString();
}

async function namesInTarget(fixture: Fixture): Promise<readonly string[]> {
  const drive = await fixture.once(targetDrive);
  const { items } = await fixture.owner.list('/', { drive });
  return items.map(({ filename }) => filename);
}

/** Asserts that the drive has such a file at its top. */
export async function assertContent(person: Person, filename: string, content: string): Promise<void> {
  const found = (await person.list()).items.find((entry) => entry.filename === filename);
  assert.ok(found, `${filename} is not there`);
  assert.equal((await person.download(found)).toString(), content);
}
