import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Holdall } from '../../app/holdall.ts';
import type { Person } from '../../app/person.ts';
import { DeviceReader, offerUrl } from '../../transfer/device-reader.ts';
import {
  join,
  lookUp,
  ONE_FILE,
  openOnline,
  type PeerSession,
  TRANSFERS,
  withToken,
} from '../../transfer/transfer.ts';
import { askTus, metadataOf, PIECE, TusUpload } from '../../uploads/tus.ts';
import { type FaultCase, fetchBytes, type Scene, sending } from '../fault-case.ts';

const SHARES = '/api/v2/shares';
const SHARE_PASSWORD = 'of a share';
/** The route of resumable uploads to a transfer. */
const PIECES = '/api/v2/transfer/sessions/:transferId/files/:fileId/tus';

/** Shares and quick transfers. */
export const SHARING_CASES: readonly FaultCase[] = [
  {
    route: `POST ${SHARES}`,
    prepare: async ({ alice }, name) => {
      const { id: fileId } = await alice.upload(`/${name}`, name);
      return sending(alice, 'POST', SHARES, { fileId, password: SHARE_PASSWORD });
    },
  },
  {
    route: `PATCH ${SHARES}/:id`,
    prepare: async (scene, name) => {
      const { id, token } = await share(scene, name);
      return {
        send: sending(scene.alice, 'PATCH', `${SHARES}/${id}`, { password: SHARE_PASSWORD }),
        check: async () => {
          const path = `${SHARES}/${token}?download`;
          assert.equal((await scene.bob.fetch('GET', path)).status, 403);
        },
      };
    },
  },
  {
    route: 'DELETE /api/v2/share-links/:id',
    prepare: async ({ alice, bob }, name) => {
      const { id: fileId } = await alice.upload(`/${name}`, name);
      const { token } = await alice.ask<{ token: string }>('POST', `/api/files/${fileId}/share-links`);
      const { items } = await alice.ask<{ items: { id: number; token: string }[] }>(
        'GET',
        '/api/v2/share-links/mine?size=1000',
      );
      const id = items.find((own) => own.token === token)?.id;
      return {
        send: sending(alice, 'DELETE', `/api/v2/share-links/${id}`),
        check: async () => {
          assert.equal((await bob.call('GET', `/api/files/share-links/${token}`)).status, 404);
        },
      };
    },
  },
  {
    route: `DELETE ${SHARES}/:id`,
    prepare: async (scene, name) => {
      const { id, token } = await share(scene, name);
      return {
        send: sending(scene.alice, 'DELETE', `${SHARES}/${id}`),
        check: async () => assert.equal((await scene.bob.call('GET', `${SHARES}/${token}`)).status, 404),
      };
    },
  },
  {
    route: `GET ${SHARES}/:token`,
    what: 'the summary',
    prepare: async (scene, name) => {
      const { token } = await share(scene, name);
      return sending(scene.bob, 'GET', `${SHARES}/${token}`);
    },
  },
  {
    route: `GET ${SHARES}/:token`,
    what: 'a download that spends the budget',
    // The unit may be spent although the answer did not arrive.
    repeated: [410],
    prepare: async (scene, name) => {
      const { token } = await share(scene, name, { maxDownloads: 1 });
      return () => fetchBytes(scene.bob, `${SHARES}/${token}?download`, Buffer.from(name));
    },
  },
  {
    route: `POST ${SHARES}/:token/verify-password`,
    prepare: async (scene, name) => {
      const { token } = await share(scene, name, { password: SHARE_PASSWORD });
      return sending(scene.bob, 'POST', `${SHARES}/${token}/verify-password`, { password: SHARE_PASSWORD });
    },
  },
  {
    route: `POST ${SHARES}/:token/import`,
    repeated: [410],
    prepare: async (scene, name) => {
      const { token } = await share(scene, name, { maxDownloads: 1 });
      return {
        send: sending(scene.bob, 'POST', `${SHARES}/${token}/import`, { path: '/' }),
        check: async () => assert.ok((await scene.bob.names()).includes(name)),
      };
    },
  },
  {
    route: `POST ${TRANSFERS}`,
    what: 'ONLINE',
    prepare: async ({ alice }) => sending(alice, 'POST', TRANSFERS, { mode: 'ONLINE', files: ONE_FILE }),
  },
  {
    route: `POST ${TRANSFERS}`,
    what: 'OFFLINE',
    prepare: async ({ alice }) => sending(alice, 'POST', TRANSFERS, { mode: 'OFFLINE', files: ONE_FILE }),
  },
  {
    route: `POST ${TRANSFERS}/:sessionId/join`,
    prepare: async ({ alice, bob }) => {
      const { sessionId } = await openOnline(alice);
      return sending(bob, 'POST', `${TRANSFERS}/${sessionId}/join`);
    },
  },
  {
    route: `POST ${TRANSFERS}/:sessionId/signals`,
    prepare: async ({ alice }) => {
      const opened = await openOnline(alice);
      const path = `${TRANSFERS}/${opened.sessionId}/signals`;
      return sending(alice, 'POST', path, { type: 'offer' }, withToken(opened.peerToken));
    },
  },
  {
    route: `GET ${TRANSFERS}/:sessionId/signals`,
    prepare: async ({ alice, bob }) => {
      const opened = await openOnline(alice);
      await join(bob, opened);
      const path = `${TRANSFERS}/${opened.sessionId}/signals?after=0`;
      return sending(alice, 'GET', path, undefined, withToken(opened.peerToken));
    },
  },
  {
    route: 'DELETE /api/v2/transfer/sessions/:sessionId/receiver',
    // The token ends with the place.
    repeated: [403],
    prepare: async ({ alice, bob }) => {
      const opened = await openOnline(alice);
      const { peerToken } = await join(bob, opened);
      const path = `/api/v2/transfer/sessions/${opened.sessionId}/receiver`;
      return {
        send: sending(bob, 'DELETE', path, undefined, withToken(peerToken)),
        check: async () => assert.equal((await lookUp(bob, opened.pickupCode)).data.status, 'WAITING'),
      };
    },
  },
  {
    route: 'POST /api/v2/transfer/sessions/:sessionId/offer',
    prepare: async ({ holdall }, name) => {
      const { sender, device, opened } = await openBeforeDevice(holdall, name);
      return {
        send: sending(sender, 'POST', offerUrl(opened), { session: device.id }),
        check: async () => assert.deepEqual(await device.readOffers(), [opened.sessionId]),
      };
    },
  },
  {
    route: 'DELETE /api/v2/transfer/sessions/:sessionId/offer',
    prepare: async ({ holdall }, name) => {
      const { sender, device, opened } = await openBeforeDevice(holdall, name);
      await sender.ask('POST', offerUrl(opened), { body: { session: device.id } });
      return {
        send: sending(device.person, 'DELETE', offerUrl(opened)),
        check: async () => assert.deepEqual(await device.readOffers(), []),
      };
    },
  },
  {
    route: `DELETE ${TRANSFERS}/:sessionId`,
    prepare: async ({ alice }) => {
      const opened = await openOffline(alice);
      await alice.ask('POST', `${fileUrl(opened)}/content`, BYTES);
      return {
        send: sending(alice, 'DELETE', `${TRANSFERS}/${opened.sessionId}`),
        check: async () => {
          const open = await alice.ask<PeerSession[]>('GET', `${TRANSFERS}/offline/mine`);
          assert.ok(open.every(({ sessionId }) => sessionId !== opened.sessionId));
        },
      };
    },
  },
  {
    route: `POST ${TRANSFERS}/:sessionId/files/:fileId/content`,
    // The session is ready.
    repeated: [400],
    prepare: async ({ alice }) => {
      const opened = await openOffline(alice);
      return () => alice.call('POST', `${fileUrl(opened)}/content`, BYTES);
    },
  },
  {
    route: `POST ${PIECES}`,
    // The session is ready.
    repeated: [400],
    prepare: async ({ alice }) => {
      const opened = await openOffline(alice);
      const headers = { ...UPLOAD, 'content-type': PIECE };
      return {
        send: () => askTus(alice, 'POST', piecesUrl(opened), { headers, body: 'bytes' }),
        check: () => assertStored(opened, alice),
      };
    },
  },
  {
    route: `PATCH ${PIECES}/:sessionId`,
    prepare: async ({ alice }) => {
      const opened = await openOffline(alice);
      const upload = await beginPieces(alice, opened);
      return {
        send: async () => {
          const head = await upload.head();
          if (head.status !== 200) return head;
          const offset = Number(head.headers.get('upload-offset'));
          return await upload.patch(offset, 'bytes'.slice(offset));
        },
        check: () => assertStored(opened, alice),
      };
    },
  },
  {
    route: `POST ${PIECES}/:sessionId`,
    what: 'as DELETE',
    repeated: [410],
    prepare: async ({ alice }) => {
      const { path } = await beginPieces(alice, await openOffline(alice));
      const headers = { 'x-http-method-override': 'DELETE' };
      return () => askTus(alice, 'POST', path, { headers });
    },
  },
  {
    route: `DELETE ${PIECES}/:sessionId`,
    repeated: [410],
    prepare: async ({ alice }) => {
      const upload = await beginPieces(alice, await openOffline(alice));
      await upload.patch(0, 'by');
      return {
        send: () => upload.end(),
        check: async () => assert.equal((await upload.head()).status, 410),
      };
    },
  },
  {
    route: `POST ${TRANSFERS}/:sessionId/files/:fileId/import`,
    prepare: async ({ alice, bob }, name) => {
      const opened = await openOffline(alice);
      await alice.ask('POST', `${fileUrl(opened)}/content`, BYTES);
      const { path } = await bob.mkdir(`/${name}`);
      return {
        send: sending(bob, 'POST', `${fileUrl(opened)}/import`, { path }),
        check: async () => assert.equal((await bob.names(path)).length, 1),
      };
    },
  },
];

const UPLOAD = { 'upload-length': '5', 'upload-metadata': metadataOf({ filename: 'letter.txt' }) };
const BYTES = { body: 'bytes', headers: { 'content-type': 'application/octet-stream' } };

/** A transfer, and another device of its sender that could be asked to receive it. */
async function openBeforeDevice(holdall: Holdall, name: string) {
  const sender = await holdall.register(name);
  const device = await DeviceReader.open(await sender.with(undefined).logInAt(randomUUID()));
  return { sender, device, opened: await openOnline(sender) };
}

async function share({ alice }: Scene, name: string, more: object = {}) {
  const { id: fileId } = await alice.upload(`/${name}`, name);
  return alice.ask<{ id: number; token: string }>('POST', SHARES, { body: { fileId, ...more } });
}

function openOffline(person: Person): Promise<PeerSession> {
  return person.ask('POST', TRANSFERS, { body: { mode: 'OFFLINE', files: ONE_FILE } });
}

function fileUrl({ sessionId, files }: PeerSession): string {
  return `${TRANSFERS}/${sessionId}/files/${files[0]?.id}`;
}

function piecesUrl({ sessionId, files }: PeerSession): string {
  return `/api/v2/transfer/sessions/${sessionId}/files/${files[0]?.id}/tus`;
}

async function beginPieces(person: Person, opened: PeerSession): Promise<TusUpload> {
  const answer = await askTus(person, 'POST', piecesUrl(opened), { headers: UPLOAD });
  assert.equal(answer.status, 201, answer.msg);
  return new TusUpload(person, answer.headers.get('location') ?? '');
}

async function assertStored({ sessionId }: PeerSession, person: Person): Promise<void> {
  const open = await person.ask<PeerSession[]>('GET', `${TRANSFERS}/offline/mine`);
  assert.equal(open.find((session) => session.sessionId === sessionId)?.status, 'READY');
}
