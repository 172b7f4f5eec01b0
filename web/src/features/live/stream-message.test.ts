// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newMessageReader, type StreamMessage } from './stream-message.ts';

const STREAM =
  ':\n\nid: 41\nevent: READY\ndata: {"a":1}\n\nid: 42\nevent: CREATED\ndata: {"b":2}\n\n:\n\ndata: x\ndata:y\n\n';
const MESSAGES = [
  { id: '41', type: 'READY', data: '{"a":1}' },
  { id: '42', type: 'CREATED', data: '{"b":2}' },
  { id: '42', type: 'message', data: 'x\ny' },
];

test('messages keep the last event id, and heartbeats are no messages', () => {
  assert.deepEqual(read([STREAM]), MESSAGES);
  assert.deepEqual(read([...STREAM]), MESSAGES, 'in pieces of one character');
});

test('an interrupted message is not passed on', () => {
  assert.deepEqual(read(['id: 1\nevent: CREATED\ndata: {"half']), []);
});

function read(pieces: readonly string[]): readonly StreamMessage[] {
  const messages: StreamMessage[] = [];
  const push = newMessageReader((message) => messages.push(message));
  for (const piece of pieces) push(piece);
  return messages;
}
