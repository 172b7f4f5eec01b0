import assert from 'node:assert/strict';
import type { EntryRecord } from '../../../server/src/drive/contract.ts';
import type { ShareLink, ShareSummary } from '../../../server/src/shares/contract.ts';
import type { Listing, Person } from '../../../server/test/support/app/person.ts';
import { refuse } from '../refusals.ts';
import type { Scene } from '../scene.ts';
import type { Section } from '../suite.ts';
import { fetchFile } from './fetch-file.ts';

const SHARES = '/api/v2/shares';

export const shares: Section = {
  title: 'Shares',
  checks: {
    'a share is seen and downloaded by anybody': async (scene) => {
      const { share, file } = await shareFile(scene);
      const seen = await scene.anonymous.ask<ShareSummary>('GET', `${SHARES}/${share.token}`);
      assert.equal(seen.file?.filename, file.filename);
      assert.deepEqual([seen.allowImport, seen.allowDownload, seen.passwordRequired], [true, true, false]);
      assert.equal(await download(scene.anonymous, share), 'shared');
    },
    'a summary never has the password or its hash': async (scene) => {
      const { share, alice } = await shareFile(scene, { password: 'secret word' });
      const texts = [
        JSON.stringify(share),
        JSON.stringify(await alice.ask('GET', `${SHARES}/mine`)),
        JSON.stringify(await scene.anonymous.ask('GET', `${SHARES}/${share.token}`)),
      ];
      for (const text of texts) assert.doesNotMatch(text, /secret word|passwordHash|"password"/);
    },
    'a directory cannot be shared, nor the file of another user': async (scene) => {
      const { alice, file } = await shareFile(scene);
      const directory = await alice.mkdir(await scene.directory(alice).then((path) => `${path}/a`));
      await refuse('rejected', alice, 'POST', SHARES, { body: { fileId: directory.id } });
      const bob = await scene.person('bob');
      await refuse('not-found', bob, 'POST', SHARES, { body: { fileId: file.id } });
    },
    'the file of a protected share is hidden until the password is verified': async (scene) => {
      const { share } = await shareFile(scene, { password: 'secret word' });
      const { anonymous } = scene;
      const url = `${SHARES}/${share.token}`;
      assert.equal((await anonymous.ask<ShareSummary>('GET', url)).file, undefined);
      const wrong = { body: { password: 'another word' } };
      await refuse('forbidden', anonymous, 'POST', `${url}/verify-password`, wrong);
      const verified = await anonymous.ask<ShareSummary>('POST', `${url}/verify-password`, {
        body: { password: 'secret word' },
      });
      assert.ok(verified.file !== undefined);
      await refuse('forbidden', anonymous, 'GET', `${url}?download`);
      assert.equal(await download(anonymous, share, { 'x-share-password': 'secret word' }), 'shared');
      const bob = await scene.person('bob');
      await refuse('forbidden', bob, 'POST', `${url}/import`);
      await refuse('forbidden', bob, 'POST', `${url}/import`, wrong);
      const path = await scene.directory(bob);
      await bob.ask('POST', `${url}/import`, { body: { password: 'secret word', path } });
    },
    'downloads and imports spend one budget': async (scene) => {
      const { share } = await shareFile(scene, { maxDownloads: 2 });
      const bob = await scene.person('bob');
      const path = await scene.directory(bob);
      assert.equal(await download(scene.anonymous, share), 'shared');
      await bob.ask('POST', `${SHARES}/${share.token}/import`, { body: { path } });
      await refuse('expired', scene.anonymous, 'GET', `${SHARES}/${share.token}?download`);
      await refuse('expired', bob, 'POST', `${SHARES}/${share.token}/import`, { body: { path: '/' } });
    },
    'of many downloads with one left one succeeds': async (scene) => {
      const { share } = await shareFile(scene, { maxDownloads: 1 });
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => fetchFile(scene.anonymous, `${SHARES}/${share.token}?download`)),
      );
      await Promise.all(responses.map((response) => response.arrayBuffer()));
      assert.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array(7).fill(410)]);
    },
    'an expired share is refused for download and import': async (scene) => {
      const expiresAt = new Date(Date.now() + 1_500).toISOString();
      const { share } = await shareFile(scene, { expiresAt });
      const bob = await scene.person('bob');
      await new Promise((resolve) => setTimeout(resolve, Date.parse(expiresAt) - Date.now() + 50));
      await refuse('expired', scene.anonymous, 'GET', `${SHARES}/${share.token}?download`);
      await refuse('expired', bob, 'POST', `${SHARES}/${share.token}/import`);
    },
    'allowImport and allowDownload are obeyed': async (scene) => {
      const { share } = await shareFile(scene, { allowImport: false, allowDownload: false });
      const bob = await scene.person('bob');
      await refuse('forbidden', bob, 'POST', `${SHARES}/${share.token}/import`);
      await refuse('forbidden', scene.anonymous, 'GET', `${SHARES}/${share.token}?download`);
    },
    'an imported file is independent of the share': async (scene) => {
      const { share, alice, file } = await shareFile(scene);
      const bob = await scene.person('bob');
      const path = await scene.directory(bob);
      const copy = await bob.ask<EntryRecord>('POST', `${SHARES}/${share.token}/import`, { body: { path } });
      await alice.recycle(file);
      assert.equal((await bob.download(copy)).toString(), 'shared');
      await refuse('not-found', scene.anonymous, 'GET', `${SHARES}/${share.token}?download`);
    },
    'an import needs a login, a free name and an existing share': async (scene) => {
      const { share } = await shareFile(scene);
      const bob = await scene.person('bob');
      const options = { body: { path: await scene.directory(bob) } };
      await refuse('unauthenticated', scene.anonymous, 'POST', `${SHARES}/${share.token}/import`, options);
      await bob.ask('POST', `${SHARES}/${share.token}/import`, options);
      await refuse('conflict', bob, 'POST', `${SHARES}/${share.token}/import`, options);
      await refuse('not-found', scene.anonymous, 'GET', `${SHARES}/no-such-token`);
    },
    'a share is listed newest first, and deleted by its owner only': async (scene) => {
      const { share, alice } = await shareFile(scene);
      const [newest] = (await alice.ask<Listing<ShareSummary>>('GET', `${SHARES}/mine`)).items;
      assert.equal(newest?.id, share.id);
      await refuse('not-found', await scene.person('bob'), 'DELETE', `${SHARES}/${share.id}`);
      await alice.ask('DELETE', `${SHARES}/${share.id}`);
      await refuse('not-found', scene.anonymous, 'GET', `${SHARES}/${share.token}`);
    },
  },
};

export const shareLinks: Section = {
  title: 'Share links (legacy)',
  checks: {
    'a link shows a file or a folder to anybody': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      const directory = await alice.mkdir(`${path}/folder`);
      const file = await alice.upload(`${path}/folder/a.txt`, 'a');
      for (const record of [directory, file]) {
        const link = await alice.ask<ShareLink>('POST', `/api/files/${record.id}/share-links`);
        const seen = await scene.anonymous.ask<ShareLink>('GET', `/api/files/share-links/${link.token}`);
        assert.deepEqual([seen.filename, seen.directory], [record.filename, record.directory]);
        const again = await alice.ask<ShareLink>('POST', `/api/files/${record.id}/share-links`);
        assert.equal(again.token, link.token);
      }
    },
    'an import copies the shared tree': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      const directory = await alice.mkdir(`${path}/folder`);
      await alice.upload(`${path}/folder/b/a.txt`, 'deep');
      const { token } = await alice.ask<ShareLink>('POST', `/api/files/${directory.id}/share-links`);
      const bob = await scene.person('bob');
      const target = await scene.directory(bob);
      const options = { body: { path: target } };
      await refuse('unauthenticated', scene.anonymous, 'POST', `/api/files/share-links/${token}/import`);
      await bob.ask('POST', `/api/files/share-links/${token}/import`, options);
      const [copy] = (await bob.list(`${target}/folder/b`)).items;
      assert.ok(copy !== undefined);
      assert.equal((await bob.download(copy)).toString(), 'deep');
      await refuse('conflict', bob, 'POST', `/api/files/share-links/${token}/import`, options);
    },
    'a link ends with its file, and only the owner can make one': async (scene) => {
      const alice = await scene.person();
      const file = await alice.upload(`${await scene.directory(alice)}/a`, 'a');
      await refuse('not-found', await scene.person('bob'), 'POST', `/api/files/${file.id}/share-links`);
      const { token } = await alice.ask<ShareLink>('POST', `/api/files/${file.id}/share-links`);
      await alice.recycle(file);
      await refuse('not-found', scene.anonymous, 'GET', `/api/files/share-links/${token}`);
    },
  },
};

async function shareFile(scene: Scene, options: object = {}) {
  const alice = await scene.person();
  const file = await alice.upload(`${await scene.directory(alice)}/shared.txt`, 'shared', 'text/plain');
  const share = await alice.ask<ShareSummary>('POST', SHARES, { body: { fileId: file.id, ...options } });
  return { alice, file, share };
}

async function download(
  person: Person,
  share: ShareSummary,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const response = await fetchFile(person, `${SHARES}/${share.token}?download`, { headers });
  assert.equal(response.status, 200);
  return await response.text();
}
