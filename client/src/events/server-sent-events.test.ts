// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../tools/testing/fast-check.ts';
import { type Message, MessageReader } from './server-sent-events.ts';

const STREAM =
  ':\n\nid: 41\nevent: READY\ndata: {"a":1}\n\n:\n\nid:42\r\nevent:CREATED\r\ndata: one\r\ndata: two\r\n\r\ndata: x\n\n';

const MESSAGES: readonly Message[] = [
  { type: 'comment' },
  { type: 'event', id: '41', event: 'READY', data: '{"a":1}' },
  { type: 'comment' },
  { type: 'event', id: '42', event: 'CREATED', data: 'one\ntwo' },
  // The id is the last one so far.
  { type: 'event', id: '42', event: '', data: 'x' },
];

test('a stream yields its messages and comments, however it is split', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(STREAM.length)), (cuts) => {
      const reader = new MessageReader();
      const ends = [...cuts, STREAM.length].sort((one, other) => one - other);
      let start = 0;
      const found = ends.flatMap((end) => {
        const piece = STREAM.slice(start, end);
        start = end;
        return [...reader.read(piece)];
      });
      assert.deepEqual(found, MESSAGES);
    }),
  );
});

test('an unfinished message is not yielded', () => {
  assert.deepEqual([...new MessageReader().read('id: 1\nevent: CREATED\ndata: x\n')], []);
});

test('an endless line is rejected', () => {
  const reader = new MessageReader();
  assert.throws(() => [...reader.read(`data: ${'x'.repeat(2_000_000)}`)], RangeError);
});
