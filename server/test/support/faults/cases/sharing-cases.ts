import assert from 'node:assert/strict';
import { EXAMPLE } from '../../../../src/http/examples.ts';
import { offerUrl } from '../../transfer/device-reader.ts';
import { join, lookUp, openOnline, type PeerSession, TRANSFERS, withToken } from '../../transfer/transfer.ts';
import { askTus, metadataOf, PIECE } from '../../uploads/tus.ts';
import type { NeedsByName } from '../example-case.ts';
import { type FaultCase, fetchBytes, type Scene, sending } from '../fault-case.ts';
import type { Fixture } from '../fixture.ts';
import { EARLIER_TEXT } from '../fixtures/drive.ts';
import {
  awaitedTransfer,
  device,
  share,
  shareLink,
  storedTransfer,
  transfer,
  transferUpload,
  visitor,
} from '../fixtures/sharing.ts';
import { assertContent } from './drive-cases.ts';

const SHARES = '/api/v2/shares';
const ONE_FILE = [{ name: 'file.txt', size: EXAMPLE.content.length }];

/** Shares and quick transfers. */
export const SHARING_NEEDS: NeedsByName = {
  'PATCH /api/v2/shares/{id}': {
    check: async (fixture) => {
      const { token } = await fixture.once(share);
      const { status } = await fixture.scene.bob.fetch('GET', `${SHARES}/${token}?download`);
      assert.equal(status, 403);
    },
  },
  'DELETE /api/v2/shares/{id}': {
    check: async (fixture) => assertGone(fixture, `${SHARES}/${(await fixture.once(share)).token}`),
  },
  'DELETE /api/v2/share-links/{id}': {
    check: async (fixture) =>
      assertGone(fixture, `/api/files/share-links/${(await fixture.once(shareLink)).token}`),
  },
  'POST /api/v2/shares/{token}/verify-password': {
    before: async (fixture) => {
      const body = { password: EXAMPLE.password };
      await fixture.owner.ask('PATCH', `${SHARES}/${(await fixture.once(share)).id}`, { body });
    },
  },
  'POST /api/v2/shares/{token}/import': {
    // The share can be imported only once.
    repeated: [410],
    sender: (fixture) => fixture.once(visitor),
    check: async (fixture) => assertContent(await fixture.once(visitor), 'file.txt', EARLIER_TEXT),
  },
  'DELETE /api/v2/transfer/sessions/{sessionId}/receiver': {
    // The token ends when the receiver leaves.
    repeated: [403],
    check: async (fixture) => {
      const { pickupCode } = await fixture.once(transfer);
      assert.equal((await lookUp(fixture.owner, pickupCode)).data.status, 'WAITING');
    },
  },
  'POST /api/v2/transfer/sessions/{sessionId}/offer': {
    check: async (fixture) => {
      const { sessionId } = await fixture.once(transfer);
      assert.deepEqual(await (await fixture.once(device)).readOffers(), [sessionId]);
    },
  },
  'DELETE /api/v2/transfer/sessions/{sessionId}/offer': {
    sender: async (fixture) => (await fixture.once(device)).person,
    before: async (fixture) => {
      const body = { session: (await fixture.once(device)).id };
      await fixture.owner.ask('POST', offerUrl(await fixture.once(transfer)), { body });
    },
    check: async (fixture) => assert.deepEqual(await (await fixture.once(device)).readOffers(), []),
  },
  'DELETE /api/transfer/sessions/{sessionId}': {
    sender: async ({ owner }) => owner,
    check: async (fixture) => {
      const { sessionId } = await fixture.once(storedTransfer);
      assert.ok((await listStored(fixture)).every((open) => open.sessionId !== sessionId));
    },
  },
  // The session is ready.
  'POST /api/transfer/sessions/{sessionId}/files/{fileId}/content': { repeated: [400], check: assertReady },
  'POST /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus': { repeated: [400] },
  'PATCH /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}': { check: assertReady },
  'DELETE /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}': {
    repeated: [410],
    check: async (fixture) => assert.equal((await (await fixture.once(transferUpload)).head()).status, 410),
  },
  'POST /api/transfer/sessions/{sessionId}/files/{fileId}/import': {
    sender: (fixture) => fixture.once(visitor),
    check: async (fixture) => assertContent(await fixture.once(visitor), 'file.txt', EXAMPLE.content),
  },
};

/** Cases without an example. */
export const MORE_SHARING_CASES: readonly FaultCase[] = [
  {
    route: `GET ${SHARES}/{token}`,
    what: 'the summary',
    prepare: async (scene, name) => sending(scene.bob, 'GET', await shareUrl(scene, name)),
  },
  {
    route: `GET ${SHARES}/{token}`,
    what: 'a download that spends the budget',
    // The single use may be spent even if the answer did not arrive.
    repeated: [410],
    prepare: async (scene, name) => {
      const url = `${await shareUrl(scene, name)}?download`;
      return () => fetchBytes(scene.bob, url, Buffer.from(name));
    },
  },
  {
    route: `POST ${TRANSFERS}`,
    what: 'OFFLINE',
    prepare: async ({ alice }) => sending(alice, 'POST', TRANSFERS, { mode: 'OFFLINE', files: ONE_FILE }),
  },
  {
    route: `GET ${TRANSFERS}/{sessionId}/signals`,
    prepare: async ({ alice, bob }) => {
      const opened = await openOnline(alice);
      await join(bob, opened);
      const path = `${TRANSFERS}/${opened.sessionId}/signals?after=0`;
      return sending(alice, 'GET', path, undefined, withToken(opened.peerToken));
    },
  },
  {
    route: 'POST /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus',
    what: 'with all bytes',
    // The session is ready.
    repeated: [400],
    prepare: async ({ alice }) => {
      const body = { mode: 'OFFLINE', files: ONE_FILE };
      const { sessionId, files } = await alice.ask<PeerSession>('POST', TRANSFERS, { body });
      const headers = {
        'upload-length': `${EXAMPLE.content.length}`,
        'upload-metadata': metadataOf({ filename: 'file.txt' }),
        'content-type': PIECE,
      };
      const path = `/api/v2/transfer/sessions/${sessionId}/files/${files[0]?.id}/tus`;
      return () => askTus(alice, 'POST', path, { headers, body: EXAMPLE.content });
    },
  },
];

async function shareUrl({ alice }: Scene, name: string): Promise<string> {
  const { id: fileId } = await alice.upload(`/${name}`, name);
  const body = { fileId, maxDownloads: 1 };
  return `${SHARES}/${(await alice.ask<{ token: string }>('POST', SHARES, { body })).token}`;
}

async function assertGone({ scene }: Fixture, url: string): Promise<void> {
  assert.equal((await scene.bob.call('GET', url)).status, 404);
}

function listStored({ owner }: Fixture): Promise<readonly PeerSession[]> {
  return owner.ask('GET', `${TRANSFERS}/offline/mine`);
}

async function assertReady(fixture: Fixture): Promise<void> {
  const { sessionId } = await fixture.once(awaitedTransfer);
  const open = await listStored(fixture);
  assert.equal(open.find((session) => session.sessionId === sessionId)?.status, 'READY');
}
