import assert from 'node:assert/strict';
import type { Person } from '../../../server/test/support/app/person.ts';
import { EVENTS, EventReader, refusedStream } from '../../../server/test/support/events/event-reader.ts';
import type { Scene } from '../scene.ts';
import type { Section } from '../suite.ts';

export const events: Section = {
  title: 'Events',
  checks: {
    'a stream begins with READY': async (scene) => {
      await read(scene, await scene.person(), {}, async () => {});
    },
    'a stream needs a login': async ({ anonymous }) => {
      assert.deepEqual(await refusedStream(anonymous), [401, 2401]);
    },
    'a stored file is reported to its user only': async (scene) => {
      const alice = await scene.person();
      const bob = await scene.person('bob');
      await read(scene, bob, {}, async (bobReader) => {
        await read(scene, alice, {}, async (reader) => {
          await reader.next();
          const file = await alice.upload(`${await scene.directory(alice)}/a.txt`, 'a');
          await reader.until(() => reader.messages.some(({ data }) => data.fileId === file.id));
          const message = reader.messages.find(({ data }) => data.fileId === file.id);
          assert.deepEqual([message?.event, message?.data.toPath], ['CREATED', file.path]);
        });
        const own = await bob.mkdir(`/${Date.now()}`);
        await bobReader.until(() => bobReader.messages.some(({ data }) => data.fileId === own.id));
        assert.equal(bobReader.messages.length, 2);
      });
    },
    'a stream gives the events below its path, by whole segments': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      await read(scene, alice, { path: `${path}/a` }, async (reader) => {
        await alice.upload(`${path}/ab/outside`, 'a');
        await alice.upload(`${path}/a/inside`, 'a');
        await reader.until(() => reader.messages.some(({ data }) => data.toPath === `${path}/a/inside`));
        assert.ok(!reader.messages.some(({ data }) => data.toPath?.startsWith(`${path}/ab`)));
      });
    },
    'an event is not sent back to the client that caused it': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      const headers = { 'x-service-client-id': 'laptop' };
      await read(
        scene,
        alice,
        { path },
        async (reader) => {
          await alice.ask('POST', '/api/files/mkdir', { body: { path: `${path}/own` }, headers });
          await alice.mkdir(`${path}/other`);
          await reader.until(() => reader.messages.some(({ data }) => data.toPath === `${path}/other`));
          assert.ok(!reader.messages.some(({ data }) => data.toPath === `${path}/own`));
        },
        headers,
      );
    },
    'renames, moves, deletions and restores are reported': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      const file = await alice.upload(`${path}/a`, 'a');
      const target = await alice.mkdir(`${path}/target`);
      await read(scene, alice, { path }, async (reader) => {
        await alice.rename(file, 'b');
        await alice.move(file, target.path);
        await alice.recycle(file);
        await alice.restore(file);
        const types = (await reader.events(4)).map(({ event }) => event);
        assert.deepEqual(types, ['RENAMED', 'MOVED', 'DELETED', 'RESTORED']);
      });
    },
  },
};

/** Opens a stream, runs the work with it, and closes it. */
async function read(
  { called }: Scene,
  person: Person,
  query: Readonly<Record<string, string>>,
  work: (reader: EventReader) => Promise<void>,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  called.add('GET', EVENTS);
  const reader = await EventReader.open(person, { query, headers });
  try {
    await work(reader);
  } finally {
    reader.close();
  }
}
