// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from './metadata-facts.ts';

test('a picture has its dimensions and the time at which it was taken', () => {
  const metadata = {
    'media:contentType': 'image/png',
    'media:size': '120',
    'media:width': '640',
    'media:height': '480',
    'media:orientation': '6',
    'media:takenAt': '2024-05-06T07:08:09',
  };
  assert.deepEqual(factsOf(metadata), {
    pixels: { width: 640, height: 480 },
    takenAt: '2024-05-06T07:08:09',
    contentType: 'image/png',
    linkTitle: undefined,
    sender: undefined,
    others: [],
  });
});

test('unknown metadata is shown as it is', () => {
  assert.deepEqual(factsOf({ 'media:camera': 'Box', note: 'x' }), {
    pixels: undefined,
    takenAt: undefined,
    contentType: undefined,
    linkTitle: undefined,
    sender: undefined,
    others: [
      ['camera', 'Box'],
      ['note', 'x'],
    ],
  });
});

test('a time that is not one is left out', () => {
  assert.equal(factsOf({ 'media:takenAt': 'yesterday' }).takenAt, undefined);
});

test('a file that a visitor sent has a sender and a link', () => {
  const { linkTitle, sender, others } = factsOf({ 'link:title': 'Taxes', 'link:sender': 'Tom' });
  assert.deepEqual([linkTitle, sender, others], ['Taxes', 'Tom', []]);
});
