// tier: default
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { UnreachableError } from '../../errors/errors.ts';
import type { TransferForPeer } from '../../generated/records.ts';
import type { DataChannel, PeerConnection } from '../connection/peer-connection.ts';
import { DirectSender } from './direct-sender.ts';
import { LATE_SILENCE_MS, PATIENCE_MS, SILENCE_MS } from './direct-times.ts';
import type { TransferCalls } from './transfer-calls.ts';

function makeSession(mode: 'ONLINE' | 'OFFLINE'): TransferForPeer {
  const times = { createdAt: '2026-01-01T00:00:00.000Z', expiresAt: '2026-01-01T00:15:00.000Z' };
  const file = { id: '1', name: 'a', encryptedName: null, relativePath: null, size: 1 };
  return {
    ...{ sessionId: mode, pickupCode: 'ABCDEF', mode, status: 'JOINED', ...times, encrypted: false },
    ...{ salt: null, files: [{ ...file, contentType: null, uploaded: false }], peerToken: 'token' },
  };
}

/** A connection that never opens a line. */
function connect(): PeerConnection {
  const offer = { type: 'offer', sdp: 'v=0' } as const;
  const channel: DataChannel = {
    ...{ binaryType: 'blob', readyState: 'connecting', bufferedAmount: 0, bufferedAmountLowThreshold: 0 },
    ...{ onopen: null, onclose: null, onbufferedamountlow: null, onmessage: null },
    send: () => undefined,
  };
  return {
    ...{ connectionState: 'new', sctp: null, onicecandidate: null, ondatachannel: null },
    ...{ localDescription: offer, currentLocalDescription: offer, currentRemoteDescription: null },
    createDataChannel: () => channel,
    setLocalDescription: async () => undefined,
    setRemoteDescription: async () => undefined,
    addIceCandidate: async () => undefined,
    close: () => undefined,
  };
}

/** A sender whose receiver has joined. Uploads never end, and the test controls the time. */
async function beginSending(t: TestContext, { mayStore }: { readonly mayStore: boolean }) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const never = new Promise<never>(() => undefined);
  let heard = Promise.withResolvers<string>();
  const events: string[] = [];
  let leaves = 0;
  let isOffline = false;
  const calls: TransferCalls = {
    create: async ({ mode }) => makeSession(mode),
    ...{ find: () => never, join: () => never, open: () => never, upload: () => never },
    leave: async () => {
      leaves += 1;
      if (isOffline) throw new UnreachableError('There is no answer.');
    },
    end: async () => undefined,
    iceServers: async () => ({ iceServers: [] }),
    signal: async (_peer, type) => ({ cursor: 1, from: 'sender', type, payload: null, createdAt: '' }),
    signalsAfter: async (_peer, cursor) => {
      const type = await heard.promise;
      heard = Promise.withResolvers();
      const signal = { cursor: cursor + 1, from: 'receiver', type, payload: null, createdAt: '' } as const;
      return { items: [signal], nextCursor: cursor + 1 };
    },
  };
  const stop = new AbortController();
  const onEvent = ({ type }: { readonly type: string }) => void events.push(type);
  const files = [{ name: 'a', content: new Blob(['a']) }];
  const sent = new DirectSender(calls, files, { connect, mayStore, onEvent, signal: stop.signal }).run();
  const hear = async (type: string) => {
    heard.resolve(type);
    await turn();
  };
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms);
    await turn();
  };
  await turn();
  await hear('peer-joined');
  const end = async () => {
    stop.abort();
    await assert.rejects(sent);
  };
  return {
    ...{ events, hear, pass, end, countLeaves: () => leaves },
    setOffline: (is: boolean) => {
      isOffline = is;
    },
  };
}

test('a sender without network does not mistake the silence for a receiver who has left', async (t) => {
  const sender = await beginSending(t, { mayStore: false });
  sender.setOffline(true);
  await sender.pass(PATIENCE_MS);
  await sender.pass(SILENCE_MS - PATIENCE_MS);
  assert.equal(sender.countLeaves(), 1);
  assert.deepEqual(sender.events, ['code']);
  sender.setOffline(false);
  await sender.pass(SILENCE_MS - 1);
  assert.deepEqual(sender.events, ['code']);
  await sender.pass(1);
  assert.deepEqual(sender.events, ['code', 'left']);
  await sender.end();
});

test('a receiver who responds after the network is back keeps the place', async (t) => {
  const sender = await beginSending(t, { mayStore: false });
  sender.setOffline(true);
  await sender.pass(PATIENCE_MS);
  await sender.pass(SILENCE_MS - PATIENCE_MS);
  sender.setOffline(false);
  await sender.hear('again');
  await sender.pass(SILENCE_MS);
  assert.equal(sender.countLeaves(), 1);
  assert.deepEqual(sender.events, ['code', 'stuck']);
  await sender.end();
});

test('a long upload does not free the place of its receiver', async (t) => {
  const sender = await beginSending(t, { mayStore: true });
  await sender.hear('again');
  await sender.pass(PATIENCE_MS);
  assert.deepEqual(sender.events, ['code', 'storing']);
  await sender.pass(LATE_SILENCE_MS);
  assert.equal(sender.countLeaves(), 0);
  await sender.end();
});
