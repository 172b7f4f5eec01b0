// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from './config.ts';

test('there are at most 16 ICE servers with 16 URLs each', () => {
  const iceServers = (servers: number, urls: number) => {
    const server = { urls: Array(urls).fill('stun:stun.example.org') };
    return readConfig({ HOLDALL_ICE_SERVERS: JSON.stringify(Array(servers).fill(server)) }).iceServers;
  };
  assert.deepEqual([iceServers(16, 16).length, iceServers(16, 16)[15]?.urls.length], [16, 16]);
  for (const [servers, urls] of [
    [17, 1],
    [1, 17],
  ] as const) {
    assert.throws(() => iceServers(servers, urls), {
      message: /HOLDALL_ICE_SERVERS must be a JSON list of at most 16/,
    });
  }
});

test('ICE servers have a credential or a secret, and one or more URLs', () => {
  const servers = [
    { urls: 'stun:stun.example.org:3478' },
    {
      urls: ['turn:turn.example.org?transport=udp', 'turns:turn.example.org'],
      username: 'a',
      credential: 'b',
    },
    { urls: 'turn:turn.example.org', secret: 'shared with coturn' },
  ];
  const read = (value: unknown) => readConfig({ HOLDALL_ICE_SERVERS: JSON.stringify(value) }).iceServers;
  assert.deepEqual(read(servers), [
    { urls: ['stun:stun.example.org:3478'], username: undefined, credential: undefined, secret: undefined },
    { urls: servers[1]?.urls, username: 'a', credential: 'b', secret: undefined },
    {
      urls: ['turn:turn.example.org'],
      username: undefined,
      credential: undefined,
      secret: 'shared with coturn',
    },
  ]);
  for (const wrong of [
    {},
    ['stun:a'],
    [null],
    [{}],
    [{ urls: [] }],
    [{ urls: 'https://a.example' }],
    [{ urls: ['stun:a', 5] }],
    [{ urls: 'stun:a b' }],
    [{ urls: 'turn:a' }],
    [{ urls: 'turn:a', username: 'a' }],
    [{ urls: 'turn:a', credential: 'b' }],
    [{ urls: 'turn:a', secret: '' }],
    [{ urls: 'turn:a', secret: 's', credential: 'b', username: 'a' }],
  ]) {
    assert.throws(
      () => read(wrong),
      { message: /^ {2}HOLDALL_ICE_SERVERS must be /m },
      JSON.stringify(wrong),
    );
  }
});
