// tier: default
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeFakeLines } from '../../../test/fake-line.ts';
import { TransferKeys } from '../encryption/keys.ts';
import { agreeOnWords, GreetingLine, provePeers } from './greeting.ts';
import { LineBroken, type TransferFault } from './line.ts';

const SALT = new Uint8Array(16);
const key = await (await TransferKeys.derive('0123456789ABCDEF', SALT)).ofPeer();
const otherKey = await (await TransferKeys.derive('0000000000000000', SALT)).ofPeer();
const SENDER = { own: 'sha-256 AA', other: 'sha-256 BB' };
const RECEIVER = { own: 'sha-256 BB', other: 'sha-256 AA' };
/** The fingerprints that both see if someone in between has a separate connection with each. */
const TAPPED_SENDER = { own: 'sha-256 AA', other: 'sha-256 11' };
const TAPPED_RECEIVER = { own: 'sha-256 BB', other: 'sha-256 22' };

/** Two ends of an intact line, and every text that was sent over it. */
function makeEnds(answerMs?: number) {
  const said: string[] = [];
  const lines = makeFakeLines((message) => {
    if (typeof message === 'string') said.push(message);
    return 'comes';
  }, 65_536);
  const [sender, receiver] = lines.ends.map((end) => new GreetingLine(end, answerMs));
  assert.ok(sender && receiver);
  return { sender, receiver, raw: lines.ends, cut: lines.cut, said };
}

const isStranger = (error: TransferFault) => error.fault === 'stranger';

async function checkRefused(greetings: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(greetings);
  for (const result of results) {
    assert.ok(result.status === 'rejected' && isStranger(result.reason), JSON.stringify(result));
  }
}

describe('with a secret', () => {
  test('two pages that know it and see the same fingerprints continue', async () => {
    const { sender, receiver } = makeEnds();
    await Promise.all([
      provePeers(sender, 'sender', key, SENDER),
      provePeers(receiver, 'receiver', key, RECEIVER),
    ]);
  });

  test('both pages notice someone in between', async () => {
    const { sender, receiver, said } = makeEnds();
    await checkRefused([
      provePeers(sender, 'sender', key, TAPPED_SENDER),
      provePeers(receiver, 'receiver', key, TAPPED_RECEIVER),
    ]);
    assert.ok(said.every((text) => ['proof', 'failed'].includes(JSON.parse(text).type)));
  });

  test('two pages with different secrets reject each other', async () => {
    const { sender, receiver } = makeEnds();
    await checkRefused([
      provePeers(sender, 'sender', key, SENDER),
      provePeers(receiver, 'receiver', otherKey, RECEIVER),
    ]);
  });

  test("a page's own proof sent back to it proves nothing", async () => {
    const { sender, raw } = makeEnds();
    const [, mirror] = raw;
    mirror.listen({
      onMessage: (message) => mirror.send(typeof message === 'string' ? message : new Uint8Array(message)),
      onBreak: () => undefined,
    });
    await checkRefused([provePeers(sender, 'sender', key, SENDER)]);
  });

  test('a page without it receives nothing', async () => {
    for (const first of ['{"type":"want","epoch":1,"step":0}', '{"type":"proof"}', 'null', '[', '']) {
      const { sender, raw } = makeEnds();
      raw[1].listen({ onMessage: () => undefined, onBreak: () => undefined });
      raw[1].send(first);
      await checkRefused([provePeers(sender, 'sender', key, SENDER)]);
    }
  });

  test('a receiver accepts nothing before the proof', async () => {
    const block = JSON.stringify({ type: 'block', epoch: 1, step: 0, sha256: '0'.repeat(64) });
    const commitment = JSON.stringify({ type: 'commitment', hash: Buffer.alloc(32).toString('base64url') });
    const value = JSON.stringify({ type: 'value', value: Buffer.alloc(32).toString('base64url') });
    const meet = JSON.stringify({ type: 'meet', sessionId: 'other' });
    for (const first of [block, commitment, value, meet, new Uint8Array([1, 2, 3])]) {
      const { receiver, raw, said } = makeEnds();
      raw[0].listen({ onMessage: () => undefined, onBreak: () => undefined });
      raw[0].send(first);
      await checkRefused([provePeers(receiver, 'receiver', key, RECEIVER)]);
      await new Promise((resolve) => setImmediate(resolve));
      const types = said.filter((text) => text !== first).map((text) => JSON.parse(text).type);
      assert.deepEqual(types, ['proof', 'failed']);
    }
  });

  test('a page with a secret and one without reject each other', async () => {
    for (const [withSecret, without] of [
      ['sender', 'receiver'],
      ['receiver', 'sender'],
    ] as const) {
      const ends = makeEnds();
      const seen = { sender: SENDER, receiver: RECEIVER };
      await checkRefused([
        provePeers(ends[withSecret], withSecret, key, seen[withSecret]),
        agreeOnWords(ends[without], without, seen[without]),
      ]);
    }
  });

  test('a silent page is rejected after a time limit', async () => {
    const { sender } = makeEnds(20);
    await checkRefused([provePeers(sender, 'sender', key, SENDER)]);
  });

  test('a connection with more than one fingerprint is rejected', async () => {
    const { sender, said } = makeEnds();
    await checkRefused([provePeers(sender, 'sender', key, undefined)]);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(said, ['{"type":"failed","reason":"stranger"}']);
  });

  test('a broken line is not reported as a stranger', async () => {
    const { sender, cut } = makeEnds();
    const proving = provePeers(sender, 'sender', key, SENDER);
    cut();
    await assert.rejects(proving, LineBroken);
  });
});

describe('without a secret', () => {
  test('both pages get the same four words, which differ each time', async () => {
    const seen = new Set<string>();
    for (let time = 0; time < 3; time += 1) {
      const { sender, receiver } = makeEnds();
      const [one, other] = await Promise.all([
        agreeOnWords(sender, 'sender', SENDER),
        agreeOnWords(receiver, 'receiver', RECEIVER),
      ]);
      assert.equal(one.length, 4);
      assert.deepEqual(one, other);
      seen.add(one.join(' '));
    }
    assert.equal(seen.size, 3);
  });

  test('the words differ if someone is in between', async () => {
    const { sender, receiver } = makeEnds();
    const [one, other] = await Promise.all([
      agreeOnWords(sender, 'sender', TAPPED_SENDER),
      agreeOnWords(receiver, 'receiver', TAPPED_RECEIVER),
    ]);
    assert.notDeepEqual(one, other);
  });

  test('the sender reveals its value only after the receiver has sent its own', async () => {
    const { sender, receiver, said } = makeEnds();
    await Promise.all([agreeOnWords(sender, 'sender', SENDER), agreeOnWords(receiver, 'receiver', RECEIVER)]);
    assert.deepEqual(
      said.map((text) => JSON.parse(text).type),
      ['commitment', 'value', 'value'],
    );
  });

  test('a value that differs from the commitment is rejected', async () => {
    const { receiver, raw } = makeEnds();
    const value = Buffer.alloc(32, 1).toString('base64url');
    raw[0].listen({
      onMessage: () => raw[0].send(JSON.stringify({ type: 'value', value })),
      onBreak: () => undefined,
    });
    const hash = Buffer.alloc(32, 2).toString('base64url');
    raw[0].send(JSON.stringify({ type: 'commitment', hash }));
    await checkRefused([agreeOnWords(receiver, 'receiver', RECEIVER)]);
  });

  test('a short value is rejected', async () => {
    const { sender, raw } = makeEnds();
    raw[1].listen({
      onMessage: () => raw[1].send(JSON.stringify({ type: 'value', value: 'AAAA' })),
      onBreak: () => undefined,
    });
    await checkRefused([agreeOnWords(sender, 'sender', SENDER)]);
  });
});

test('only a limited number of unread messages is kept', async () => {
  const { sender, raw } = makeEnds();
  for (let count = 0; count < 100; count += 1) raw[1].send(`${count}`);
  await new Promise((resolve) => setImmediate(resolve));
  const heard: unknown[] = [];
  sender.listen({ onMessage: (message) => heard.push(message), onBreak: () => undefined });
  assert.deepEqual(
    heard,
    Array.from({ length: 64 }, (_, count) => `${count}`),
  );
});

test('messages after the greeting go to the next listener', async () => {
  const { sender, receiver } = makeEnds();
  await Promise.all([
    provePeers(sender, 'sender', key, SENDER),
    provePeers(receiver, 'receiver', key, RECEIVER),
  ]);
  receiver.send('first');
  await new Promise((resolve) => setImmediate(resolve));
  const heard: unknown[] = [];
  sender.listen({ onMessage: (message) => heard.push(message), onBreak: () => heard.push('broken') });
  receiver.send('second');
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(heard, ['first', 'second']);
});
