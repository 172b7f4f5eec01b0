// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Fingerprints } from '../encryption/peer-proof.ts';
import type { Line } from './line.ts';
import type { DataChannel, PeerConnection, SessionDescription } from './peer-connection.ts';
import { PeerLink } from './peer-link.ts';

function describeAs(type: 'offer' | 'answer', fingerprint: string): SessionDescription {
  return { type, sdp: `v=0\r\na=fingerprint:sha-256 ${fingerprint}\r\n` };
}

function makeChannel(): DataChannel {
  return {
    ...{ binaryType: 'blob', readyState: 'open', bufferedAmount: 0, bufferedAmountLowThreshold: 0 },
    ...{ onopen: null, onclose: null, onbufferedamountlow: null, onmessage: null },
    send: () => undefined,
  };
}

/** A connection whose call that sets the other side's description ends when the test lets it. */
function makeConnection(channel: DataChannel) {
  const described = Promise.withResolvers<void>();
  const own = describeAs('offer', 'AA:AA');
  let other: SessionDescription | null = null;
  const connection: PeerConnection = {
    ...{ connectionState: 'connected', sctp: null, onicecandidate: null, ondatachannel: null },
    ...{ localDescription: own, currentLocalDescription: own },
    get currentRemoteDescription() {
      return other;
    },
    createDataChannel: () => channel,
    setLocalDescription: async () => undefined,
    setRemoteDescription: async (description) => {
      await described.promise;
      other = description;
    },
    addIceCandidate: async () => undefined,
    close: () => undefined,
  };
  return { connection, finishDescription: described.resolve };
}

test('a channel that opens before the answer is set becomes a line with both fingerprints', async (t) => {
  const channel = makeChannel();
  const { connection, finishDescription } = makeConnection(channel);
  const opened: { readonly line: Line; readonly seen: Fingerprints | undefined }[] = [];
  const link = new PeerLink({
    role: 'sender',
    connect: () => connection,
    findIceServers: async () => [],
    sendSignal: () => undefined,
    onLine: (line, seen) => opened.push({ line, seen }),
  });
  t.after(() => link.stop());
  await link.start();
  link.handleSignal('description', { attempt: 1, description: describeAs('answer', 'BB:BB') });
  await turn();
  channel.onopen?.(undefined);
  channel.onmessage?.({ data: 'early' });
  await turn();
  assert.equal(opened.length, 0);
  finishDescription();
  await turn();
  assert.deepEqual(
    opened.map(({ seen }) => seen),
    [{ own: 'sha-256 AA:AA', other: 'sha-256 BB:BB' }],
  );
  const messages: unknown[] = [];
  opened[0]?.line.listen({ onMessage: (message) => messages.push(message), onBreak: () => undefined });
  assert.deepEqual(messages, ['early'], 'a message that came before is not lost');
});

test('a line is not reported after the link has stopped', async () => {
  const channel = makeChannel();
  const { connection, finishDescription } = makeConnection(channel);
  const opened: Line[] = [];
  const link = new PeerLink({
    role: 'sender',
    connect: () => connection,
    findIceServers: async () => [],
    sendSignal: () => undefined,
    onLine: (line) => opened.push(line),
  });
  await link.start();
  link.handleSignal('description', { attempt: 1, description: describeAs('answer', 'BB:BB') });
  await turn();
  channel.onopen?.(undefined);
  link.stop();
  finishDescription();
  await turn();
  assert.equal(opened.length, 0);
});

test('only the first answer of an attempt counts', async (t) => {
  const channel = makeChannel();
  const { connection, finishDescription } = makeConnection(channel);
  const seen: (Fingerprints | undefined)[] = [];
  const link = new PeerLink({
    role: 'sender',
    connect: () => connection,
    findIceServers: async () => [],
    sendSignal: () => undefined,
    onLine: (_line, fingerprints) => seen.push(fingerprints),
  });
  t.after(() => link.stop());
  await link.start();
  finishDescription();
  link.handleSignal('description', { attempt: 1, description: describeAs('offer', 'CC:CC') });
  link.handleSignal('description', { attempt: 1, description: { type: 'answer', sdp: ['v=0'] } });
  link.handleSignal('description', { attempt: 1, description: null });
  link.handleSignal('description', { attempt: 1, description: describeAs('answer', 'BB:BB') });
  await turn();
  channel.onopen?.(undefined);
  link.handleSignal('description', { attempt: 1, description: describeAs('answer', 'DD:DD') });
  link.handleSignal('description', { attempt: 1, description: describeAs('offer', 'EE:EE') });
  await turn();
  assert.deepEqual(seen, [{ own: 'sha-256 AA:AA', other: 'sha-256 BB:BB' }]);
});

test('late signals of a receiver that has left do not disturb the next one', async (t) => {
  const sent: [type: string, payload: unknown][] = [];
  const seen: (Fingerprints | undefined)[] = [];
  const open = (lastAttempt?: number) => {
    const channel = makeChannel();
    const { connection, finishDescription } = makeConnection(channel);
    finishDescription();
    const link = new PeerLink({
      role: 'sender',
      connect: () => connection,
      findIceServers: async () => [],
      sendSignal: (...signal) => sent.push(signal),
      onLine: (_line, fingerprints) => seen.push(fingerprints),
      lastAttempt,
    });
    t.after(() => link.stop());
    return { link, channel };
  };
  const left = open();
  await left.link.start();
  await turn();
  left.link.stop();
  const { link, channel } = open(left.link.lastAttempt);
  await link.start();
  link.handleSignal('description', { attempt: 1, description: describeAs('answer', 'CC:CC') });
  link.handleSignal('description', { attempt: 2, description: describeAs('answer', 'BB:BB') });
  await turn();
  channel.onopen?.(undefined);
  await turn();
  assert.deepEqual(
    sent.map(([type, payload]) => [type, (payload as { attempt: number }).attempt]),
    [
      ['description', 1],
      ['description', 2],
    ],
  );
  assert.deepEqual(seen, [{ own: 'sha-256 AA:AA', other: 'sha-256 BB:BB' }]);
});
