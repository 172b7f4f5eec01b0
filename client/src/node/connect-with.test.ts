// tier: default
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import type { PeerConnection } from '../transfer/connection/peer-connection.ts';
import { connectWith } from './connect-with.ts';

const connect = connectWith(createRequire(import.meta.url)('node-datachannel'));
const open: PeerConnection[] = [];
after(() => {
  for (const connection of open) connection.close();
});

function begin(): PeerConnection {
  const connection = connect([]);
  open.push(connection);
  return connection;
}

test('a connection without a data channel has no description, and the process survives', async () => {
  await assert.rejects(begin().setLocalDescription(), /no data channel/);
});

test('an offer without a data channel is not answered', async () => {
  const sender = begin();
  sender.createDataChannel('files');
  await sender.setLocalDescription();
  const { sdp = '' } = sender.localDescription ?? {};
  const fingerprint = /^a=fingerprint:.*$/m.exec(sdp)?.[0];
  const [session = ''] = sdp.split(/^m=/m);
  const ice = [...sdp.matchAll(/^a=ice-(?:ufrag|pwd):.*$/gm)].map(([line]) => line);
  assert.equal(ice.length, 2);
  const offer = `${session}${[...new Set([...ice, fingerprint])].join('\r\n')}\r\n`;
  for (const media of [
    '',
    'm=audio 9 UDP/TLS/RTP/SAVPF 0\r\nc=IN IP4 0.0.0.0\r\na=mid:0\r\na=sendonly\r\n',
  ]) {
    const receiver = begin();
    await assert.rejects(async () => {
      await receiver.setRemoteDescription({ type: 'offer', sdp: offer + media });
      await receiver.setLocalDescription();
    });
  }
});

test('an offer of a data channel is answered', async () => {
  const sender = begin();
  sender.createDataChannel('files');
  await sender.setLocalDescription();
  const receiver = begin();
  assert.ok(sender.localDescription);
  await receiver.setRemoteDescription(sender.localDescription);
  await receiver.setLocalDescription();
  assert.equal(receiver.localDescription?.type, 'answer');
});
