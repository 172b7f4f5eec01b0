// tier: default
import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { EventStream } from '../../src/http/event-stream.ts';

test('a stream whose client reads nothing is disconnected at the fourth heartbeat', () => {
  // The response has no connection that would read its bytes.
  const stream = new EventStream(new ServerResponse(new IncomingMessage(new Socket())));
  stream.write(Buffer.from('unread'));
  for (let beat = 1; beat < 4; beat += 1) {
    stream.beat();
    assert.ok(stream.isOpen, `after ${beat} heartbeats`);
  }
  stream.beat();
  assert.equal(stream.isOpen, false);
});
