import assert from 'node:assert/strict';
import { EXAMPLE } from '../../../../src/http/examples.ts';
import { FOLDER_LINKS, linkFolder } from '../../folder-links/folder-links.ts';
import { askTus, metadataOf, PIECE } from '../../uploads/tus.ts';
import type { NeedsByName } from '../example-case.ts';
import { type FaultCase, fetchBytes, type Scene, sending } from '../fault-case.ts';
import type { Fixture } from '../fixture.ts';
import { EARLIER_TEXT } from '../fixtures/drive.ts';
import { folderLink, folderLinkUpload, visitor } from '../fixtures/sharing.ts';

export const FOLDER_LINK_NEEDS: NeedsByName = {
  'PATCH /api/v2/folder-links/{id}': { check: (fixture) => assertStatus(fixture, '/entries', 403) },
  'DELETE /api/v2/folder-links/{id}': { check: (fixture) => assertStatus(fixture, '', 404) },
  'DELETE /api/admin/folder-links/{linkId}': { check: (fixture) => assertStatus(fixture, '', 404) },
  'POST /api/v2/folder-links/{token}/uploads': {
    check: async ({ owner }) => {
      const { items } = await owner.list('/example-directory');
      const contents = await Promise.all(items.map((entry) => owner.download(entry)));
      // A repeated request keeps both files.
      assert.deepEqual([...new Set(contents.map(String))].toSorted(), [EXAMPLE.content, EARLIER_TEXT]);
    },
  },
  'POST /api/v2/folder-links/{token}/verify-password': {
    before: async (fixture) => {
      const { id } = await fixture.once(folderLink);
      const body = { password: EXAMPLE.password };
      await fixture.owner.ask('PATCH', `${FOLDER_LINKS}/${id}`, { body });
    },
  },
  'POST /api/v2/folder-links/{token}/import': {
    sender: (fixture) => fixture.once(visitor),
    check: async (fixture) => {
      const received = await (await fixture.once(visitor)).names('/example-directory');
      assert.deepEqual(received, ['file.txt']);
    },
  },
  'PATCH /api/v2/folder-links/{token}/tus/{sessionId}': {
    check: async ({ owner }) => assert.ok((await owner.names('/example-directory')).includes('tus.txt')),
  },
  'DELETE /api/v2/folder-links/{token}/tus/{sessionId}': {
    repeated: [410],
    check: async (fixture) => assert.equal((await (await fixture.once(folderLinkUpload)).head()).status, 410),
  },
};

/** Cases without an example. */
export const MORE_FOLDER_LINK_CASES: readonly FaultCase[] = [
  {
    route: `POST ${FOLDER_LINKS}/{token}/tus`,
    what: 'with all bytes',
    prepare: async (scene, name) => {
      const { token } = await link(scene, name);
      const headers = {
        'upload-length': String(name.length),
        'upload-metadata': metadataOf({ filename: 'other.txt' }),
        'content-type': PIECE,
      };
      const path = `${FOLDER_LINKS}/${token}/tus`;
      return {
        send: () => askTus(scene.bob, 'POST', path, { headers, body: name }),
        check: async () => assert.ok((await scene.alice.names(`/${name}`)).includes('other.txt')),
      };
    },
  },
  {
    route: `GET ${FOLDER_LINKS}/{token}/entries`,
    prepare: async (scene, name) => {
      const { token } = await link(scene, name);
      return sending(scene.bob, 'GET', `${FOLDER_LINKS}/${token}/entries`);
    },
  },
  {
    route: `GET ${FOLDER_LINKS}/{token}/download`,
    prepare: async (scene, name) => {
      const { token } = await link(scene, name);
      const path = `${FOLDER_LINKS}/${token}/download?path=/file.txt`;
      return () => fetchBytes(scene.bob, path, Buffer.from(name));
    },
  },
];

/** A link to a new directory with that name and a file. */
async function link({ alice }: Scene, name: string) {
  const directory = await alice.mkdir(`/${name}`);
  await alice.upload(`/${name}/file.txt`, name);
  return linkFolder(alice, directory, { mode: 'BOTH' });
}

async function assertStatus(fixture: Fixture, below: string, expected: number): Promise<void> {
  const { token } = await fixture.once(folderLink);
  const { status } = await fixture.scene.bob.call('GET', `${FOLDER_LINKS}/${token}${below}`);
  assert.equal(status, expected);
}
