import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from './metadata-facts.ts';

test('a picture has its dimensions', () => {
  const metadata = {
    'media:contentType': 'image/png',
    'media:size': '120',
    'media:width': '640',
    'media:height': '480',
  };
  assert.deepEqual(factsOf(metadata), {
    pixels: { width: 640, height: 480 },
    contentType: 'image/png',
    others: [],
  });
});

test('unknown metadata is shown as it is', () => {
  assert.deepEqual(factsOf({ 'media:camera': 'Box', note: 'x' }), {
    pixels: undefined,
    contentType: undefined,
    others: [
      ['camera', 'Box'],
      ['note', 'x'],
    ],
  });
});
