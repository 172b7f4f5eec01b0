import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EventParser } from './event-parser.ts';

const STREAM =
  ':\n\nid: 41\nevent: READY\ndata: {"a":1}\n\nid: 42\nevent: CREATED\ndata: {"b":2}\n\n:\n\ndata: x\ndata:y\n\n';
const MESSAGES = [
  { id: '41', type: 'READY', data: '{"a":1}' },
  { id: '42', type: 'CREATED', data: '{"b":2}' },
  { id: '42', type: 'message', data: 'x\ny' },
];

describe('an event stream', () => {
  test('is read, heartbeats left out', () => {
    assert.deepEqual(new EventParser().push(STREAM), MESSAGES);
  });

  test('is the same in pieces that end anywhere', () => {
    for (const size of [1, 2, 3, 7, 20]) {
      const parser = new EventParser();
      const found = [];
      for (let at = 0; at < STREAM.length; at += size)
        found.push(...parser.push(STREAM.slice(at, at + size)));
      assert.deepEqual(found, MESSAGES, `pieces of ${size}`);
    }
  });

  test('may end its lines as other systems do', () => {
    for (const end of ['\r\n', '\r']) {
      const parser = new EventParser();
      const found = [...STREAM.replaceAll('\n', end)].flatMap((letter) => parser.push(letter));
      // The very last carriage return may be half of an end.
      found.push(...parser.push(':'));
      assert.deepEqual(found, MESSAGES);
    }
  });

  test('gives nothing of a message that was cut off', () => {
    assert.deepEqual(new EventParser().push('id: 1\nevent: CREATED\ndata: {"half'), []);
  });

  test('a message without data says nothing, and leaves its type to nobody', () => {
    assert.deepEqual(new EventParser().push('event: CREATED\n\ndata: x\n\n'), [
      { id: '', type: 'message', data: 'x' },
    ]);
  });
});
