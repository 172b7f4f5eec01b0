import assert from 'node:assert/strict';
import { formOf } from '../../app/person.ts';
import { beginTus, FOLDER_LINKS, linkFolder, Visitor } from '../../folder-links/folder-links.ts';
import { askTus, metadataOf, PIECE } from '../../uploads/tus.ts';
import { type FaultCase, fetchBytes, type Scene, sending } from '../fault-case.ts';

const PASSWORD = 'of a link';

export const FOLDER_LINK_CASES: readonly FaultCase[] = [
  {
    route: `POST ${FOLDER_LINKS}`,
    prepare: async ({ alice }, name) => {
      const { id: directoryId } = await alice.mkdir(`/${name}`);
      const body = { directoryId, mode: 'VIEW', password: PASSWORD };
      return sending(alice, 'POST', FOLDER_LINKS, body);
    },
  },
  {
    route: `PATCH ${FOLDER_LINKS}/:id`,
    prepare: async (scene, name) => {
      const { id, token } = await link(scene, name);
      return {
        send: sending(scene.alice, 'PATCH', `${FOLDER_LINKS}/${id}`, { password: PASSWORD }),
        check: async () => {
          assert.equal((await scene.bob.call('GET', `${FOLDER_LINKS}/${token}/entries`)).status, 403);
        },
      };
    },
  },
  {
    route: `DELETE ${FOLDER_LINKS}/:id`,
    prepare: async (scene, name) => {
      const { id, token } = await link(scene, name);
      return {
        send: sending(scene.alice, 'DELETE', `${FOLDER_LINKS}/${id}`),
        check: async () =>
          assert.equal((await scene.bob.call('GET', `${FOLDER_LINKS}/${token}`)).status, 404),
      };
    },
  },
  {
    route: `POST ${FOLDER_LINKS}/:token/downloads`,
    prepare: async (scene, name) => {
      const { token } = await link(scene, name);
      await scene.alice.upload(`/${name}/file`, name);
      return sending(scene.bob, 'POST', `${FOLDER_LINKS}/${token}/downloads`, { paths: ['/file'] });
    },
  },
  {
    route: `POST ${FOLDER_LINKS}/:token/uploads`,
    prepare: async (scene, name) => {
      const { token } = await link(scene, name, { mode: 'BOTH' });
      const path = `${FOLDER_LINKS}/${token}/uploads`;
      return {
        send: () => scene.bob.call('POST', path, { body: formOf('/file.txt', name) }),
        check: async () => assert.ok((await scene.alice.names(`/${name}`)).includes('file.txt')),
      };
    },
  },
  {
    route: `POST ${FOLDER_LINKS}/:token/tus`,
    prepare: async (scene, name) => {
      const visitor = await visit(scene, name);
      const headers = {
        'upload-length': String(name.length),
        'upload-metadata': metadataOf({ filename: 'file.txt' }),
        'content-type': PIECE,
      };
      return {
        send: () => askTus(visitor, 'POST', visitor.at('/tus'), { headers, body: name }),
        check: () => assertReceived(scene, name),
      };
    },
  },
  {
    route: `PATCH ${FOLDER_LINKS}/:token/tus/:sessionId`,
    prepare: async (scene, name) => {
      const upload = await beginTus(await visit(scene, name), 'file.txt', name.length);
      return {
        send: async () => {
          const head = await upload.head();
          if (head.status !== 200) return head;
          const offset = Number(head.headers.get('upload-offset'));
          return await upload.patch(offset, name.slice(offset));
        },
        check: () => assertReceived(scene, name),
      };
    },
  },
  {
    route: `POST ${FOLDER_LINKS}/:token/tus/:sessionId`,
    what: 'as DELETE',
    repeated: [410],
    prepare: async (scene, name) => {
      const { person, path } = await beginTus(await visit(scene, name), 'file.txt', 5);
      const headers = { 'x-http-method-override': 'DELETE' };
      return () => askTus(person, 'POST', path, { headers });
    },
  },
  {
    route: `DELETE ${FOLDER_LINKS}/:token/tus/:sessionId`,
    repeated: [410],
    prepare: async (scene, name) => {
      const upload = await beginTus(await visit(scene, name), 'file.txt', 5);
      await upload.patch(0, 'ab');
      return {
        send: () => upload.end(),
        check: async () => assert.equal((await upload.head()).status, 410),
      };
    },
  },
  {
    route: `POST ${FOLDER_LINKS}/:token/import`,
    prepare: async (scene, name) => {
      const { token } = await link(scene, name);
      await scene.alice.upload(`/${name}/file.txt`, name);
      const body = { path: '/', targetPath: '/' };
      return {
        send: sending(scene.bob, 'POST', `${FOLDER_LINKS}/${token}/import`, body),
        check: async () => assert.deepEqual(await scene.bob.names(`/${name}`), ['file.txt']),
      };
    },
  },
  {
    route: 'DELETE /api/admin/folder-links/:linkId',
    prepare: async (scene, name) => {
      const { id, token } = await link(scene, name);
      return {
        send: sending(scene.admin, 'DELETE', `/api/admin/folder-links/${id}`),
        check: async () =>
          assert.equal((await scene.bob.call('GET', `${FOLDER_LINKS}/${token}`)).status, 404),
      };
    },
  },
  {
    route: `GET ${FOLDER_LINKS}/:token/entries`,
    prepare: async (scene, name) => {
      const { token } = await link(scene, name);
      return sending(scene.bob, 'GET', `${FOLDER_LINKS}/${token}/entries`);
    },
  },
  {
    route: `GET ${FOLDER_LINKS}/:token/download`,
    prepare: async (scene, name) => {
      const { token } = await link(scene, name);
      await scene.alice.upload(`/${name}/file.txt`, name);
      const path = `${FOLDER_LINKS}/${token}/download?path=/file.txt`;
      return () => fetchBytes(scene.bob, path, Buffer.from(name));
    },
  },
  {
    route: `POST ${FOLDER_LINKS}/:token/verify-password`,
    prepare: async (scene, name) => {
      const { token } = await link(scene, name, { password: PASSWORD });
      const path = `${FOLDER_LINKS}/${token}/verify-password`;
      return sending(scene.bob, 'POST', path, { password: PASSWORD });
    },
  },
];

/** A link to a new directory with that name. */
async function link({ alice }: Scene, name: string, options: object = {}) {
  return linkFolder(alice, await alice.mkdir(`/${name}`), options);
}

async function visit(scene: Scene, name: string): Promise<Visitor> {
  return new Visitor(scene.bob.url, await link(scene, name, { mode: 'UPLOAD' }));
}

async function assertReceived({ alice }: Scene, name: string): Promise<void> {
  const files = (await alice.list(`/${name}`)).items;
  for (const file of files) assert.equal((await alice.download(file)).toString(), name);
  assert.ok(files.length > 0);
}
