import assert from 'node:assert/strict';
import type { EntryRecord } from '../../../../src/drive/contract.ts';
import type { Person } from '../../app/person.ts';
import { asDavClient } from '../../dav/dav-clients.ts';
import type { FaultCase, Outcome } from '../fault-case.ts';

const LOCK = `<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope>
  <D:locktype><D:write/></D:locktype></D:lockinfo>`;
const PROPERTY = `<D:propertyupdate xmlns:D="DAV:" xmlns:a="urn:a">
  <D:set><D:prop><a:colour>red</a:colour></D:prop></D:set></D:propertyupdate>`;

/** The methods of WebDAV that change something. */
export const DAV_CASES: readonly FaultCase[] = [
  {
    route: 'PUT /dav/*',
    prepare: async ({ alice }, name) => ({
      send: await method(alice, 'PUT', name, { body: name }),
      check: async () => assert.equal(await read(alice, name), name),
    }),
  },
  {
    route: 'PUT /dav/*',
    what: 'replacing content',
    prepare: async ({ alice }, name) => {
      await alice.upload(`/${name}`, 'old');
      return {
        send: await method(alice, 'PUT', name, { body: name }),
        check: async () => assert.equal(await read(alice, name), name),
      };
    },
  },
  {
    route: 'MKCOL /dav/*',
    // The directory already exists.
    repeated: [405],
    prepare: async ({ alice }, name) => ({
      send: await method(alice, 'MKCOL', name),
      check: async () => assert.ok((await find(alice, name)).directory),
    }),
  },
  {
    route: 'DELETE /dav/*',
    prepare: async ({ alice }, name) => {
      await alice.upload(`/${name}/file`, name);
      return {
        send: await method(alice, 'DELETE', name),
        check: async () => assert.ok(!(await alice.names('/')).includes(name)),
      };
    },
  },
  ...(['MOVE', 'COPY'] as const).map(
    (how): FaultCase => ({
      route: `${how} /dav/*`,
      prepare: async ({ alice }, name) => {
        await alice.upload(`/${name}/from`, name);
        const destination = new URL(`/dav/${name}/to`, alice.url).href;
        return {
          send: await method(alice, how, `${name}/from`, { headers: { destination } }),
          check: async () => {
            const left = how === 'MOVE' ? ['to'] : ['from', 'to'];
            assert.deepEqual((await alice.names(`/${name}`)).toSorted(), left);
          },
        };
      },
    }),
  ),
  {
    route: 'PROPPATCH /dav/*',
    prepare: async ({ alice }, name) => {
      await alice.upload(`/${name}`, name);
      const client = await clientOf(alice);
      return {
        send: await method(alice, 'PROPPATCH', name, { body: PROPERTY }),
        check: async () => {
          const [found] = await client.propfind(`/dav/${name}`, '0', ASKED);
          assert.equal(found?.properties.get(200)?.size, 1);
        },
      };
    },
  },
  {
    route: 'LOCK /dav/*',
    // The file is already locked.
    repeated: [423],
    prepare: async ({ alice }, name) => {
      await alice.upload(`/${name}`, name);
      const client = await clientOf(alice);
      return {
        send: await method(alice, 'LOCK', name, { body: LOCK }),
        check: async () => assert.equal((await client.put(`/dav/${name}`, 'other')).status, 423),
      };
    },
  },
  {
    route: 'UNLOCK /dav/*',
    prepare: async ({ alice }, name) => {
      await alice.upload(`/${name}`, name);
      const client = await clientOf(alice);
      const { headers } = await client.expect(200, 'LOCK', `/dav/${name}`, { body: LOCK });
      return {
        send: await method(alice, 'UNLOCK', name, {
          headers: { 'lock-token': String(headers['lock-token']) },
        }),
        check: async () => assert.equal((await client.put(`/dav/${name}`, 'other')).status, 204),
      };
    },
  },
];

const ASKED = '<D:propfind xmlns:D="DAV:" xmlns:a="urn:a"><D:prop><a:colour/></D:prop></D:propfind>';

const clients = new WeakMap<Person, ReturnType<typeof asDavClient>>();

/** One app password for all cases of a person. */
function clientOf(person: Person): ReturnType<typeof asDavClient> {
  const client = clients.get(person) ?? asDavClient(person);
  clients.set(person, client);
  return client;
}

async function method(
  person: Person,
  name: string,
  path: string,
  {
    body,
    headers = {},
  }: { readonly body?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<() => Promise<Outcome>> {
  const { authorization } = await clientOf(person);
  return async () => {
    const response = await person.fetch(name, `/dav/${path}`, {
      ...(body === undefined ? {} : { body }),
      headers: { authorization, ...headers },
    });
    await response.arrayBuffer();
    return { status: response.status, headers: response.headers };
  };
}

async function find(person: Person, name: string): Promise<EntryRecord> {
  const { items } = await person.list('/', { size: 1_000 });
  return items.find(({ filename }) => filename === name) ?? assert.fail(`/${name} is not there`);
}

async function read(person: Person, name: string): Promise<string> {
  return (await person.download(await find(person, name))).toString();
}
