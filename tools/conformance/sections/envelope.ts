import assert from 'node:assert/strict';
import { refuse } from '../refusals.ts';
import type { Section } from '../suite.ts';

export const envelope: Section = {
  title: 'Envelope, errors and pages',
  checks: {
    'the site probe answers ok and its version': async ({ anonymous }) => {
      const data = await anonymous.ask<Record<string, unknown>>('GET', '/api/v2/site/ping');
      assert.deepEqual([data.status, data.apiVersion], ['ok', 'v2']);
    },
    'the root answers a program that the service is available': async ({ anonymous }) => {
      const response = await anonymous.fetch('GET', '/', { headers: { accept: 'application/json' } });
      assert.equal(response.status, 200);
    },
    'an unknown address is refused in the envelope of its family': async ({ person }) => {
      const alice = await person();
      await refuse('not-found', alice, 'GET', '/api/nothing-here');
      await refuse('not-found', alice, 'GET', '/api/v2/nothing-here');
    },
    'a protected call without a token is refused with the code of its family': async ({ anonymous }) => {
      await refuse('unauthenticated', anonymous, 'GET', '/api/files/list');
      await refuse('unauthenticated', anonymous, 'GET', '/api/v2/tasks');
      await refuse('unauthenticated', anonymous, 'GET', '/api/user/profile');
      await refuse('unauthenticated', anonymous, 'GET', '/api/admin/summary');
    },
    'the admin area is refused to users': async ({ person }) => {
      await refuse('forbidden', await person(), 'GET', '/api/admin/summary');
      await refuse('forbidden', await person(), 'GET', '/api/admin/users');
    },
    'a body that is not JSON is refused': async ({ person }) => {
      const options = { body: '{"path":', headers: { 'content-type': 'application/json' } };
      await refuse('invalid', await person(), 'POST', '/api/files/mkdir', options);
      await refuse('invalid', await person(), 'POST', '/api/v2/shares', options);
    },
    'a missing member and a member of a wrong type are refused': async ({ person }) => {
      const alice = await person();
      await refuse('invalid', alice, 'POST', '/api/files/mkdir', { body: {} });
      await refuse('invalid', alice, 'POST', '/api/v2/shares', { body: { fileId: 'first' } });
    },
    'a malformed id is refused, and an unknown one is not found': async ({ person }) => {
      const alice = await person();
      await refuse('invalid', alice, 'DELETE', '/api/files/first');
      await refuse('not-found', alice, 'DELETE', '/api/files/999999999999');
      await refuse('invalid', alice, 'GET', '/api/v2/tasks/first');
      await refuse('not-found', alice, 'GET', '/api/v2/tasks/999999999999');
      await refuse('invalid', alice, 'GET', '/api/v2/files/upload-sessions/first');
    },
    'unknown members and parameters are ignored': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      await alice.ask('POST', '/api/files/mkdir', { body: { path: `${path}/a`, colour: 'red' } });
      assert.deepEqual(await alice.list(path, { colour: 'red' }), await alice.list(path));
    },
    'pages have items, total, page and size': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      for (const name of ['a', 'b', 'c']) await alice.mkdir(`${path}/${name}`);
      const first = await alice.list(path, { size: 2 });
      const second = await alice.list(path, { size: 2, page: 1 });
      assert.deepEqual([first.total, first.page, first.size], [3, 0, 2]);
      const names = [...first.items, ...second.items].map(({ filename }) => filename);
      assert.deepEqual(names, ['a', 'b', 'c']);
    },
    'a page size is at least 1 and at most 1000': async ({ person }) => {
      const alice = await person();
      assert.equal((await alice.list('/', { size: 5_000 })).size, 1_000);
      await refuse('invalid', alice, 'GET', '/api/files/list?size=0');
      await refuse('invalid', alice, 'GET', '/api/files/list?page=-1');
      await refuse('invalid', alice, 'GET', '/api/v2/tasks?size=0');
    },
    'timestamps are ISO 8601 in UTC with milliseconds': async (scene) => {
      const record = await (await scene.person()).mkdir(`/${Date.now()}`);
      assert.match(String(record.createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    },
  },
};
