import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from './metadata-facts.ts';

test('a picture says how large it is', () => {
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

test('what is not known here is told as it is', () => {
  assert.deepEqual(factsOf({ 'media:camera': 'Box', note: 'x' }), {
    pixels: undefined,
    contentType: undefined,
    others: [
      ['camera', 'Box'],
      ['note', 'x'],
    ],
  });
});
