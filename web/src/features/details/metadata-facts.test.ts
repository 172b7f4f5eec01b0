// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from './metadata-facts.ts';

const NO_CAMERA = { camera: undefined, lens: undefined, exposure: undefined, coordinates: undefined };

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
    duration: undefined,
    takenAt: '2024-05-06T07:08:09',
    ...NO_CAMERA,
    contentType: 'image/png',
    linkTitle: undefined,
    sender: undefined,
    others: [],
  });
});

test('unknown metadata is shown unchanged', () => {
  assert.deepEqual(factsOf({ 'media:colour': 'red', note: 'x' }), {
    pixels: undefined,
    duration: undefined,
    takenAt: undefined,
    ...NO_CAMERA,
    contentType: undefined,
    linkTitle: undefined,
    sender: undefined,
    others: [
      ['colour', 'red'],
      ['note', 'x'],
    ],
  });
});

test('a video has a length', () => {
  const { duration, others } = factsOf({ 'media:duration': '12.5' });
  assert.deepEqual([duration, others], [12.5, []]);
});

test('an invalid time is left out', () => {
  assert.equal(factsOf({ 'media:takenAt': 'yesterday' }).takenAt, undefined);
});

test('a file that a visitor sent has a sender and a link', () => {
  const { linkTitle, sender, others } = factsOf({ 'link:title': 'Taxes', 'link:sender': 'Tom' });
  assert.deepEqual([linkTitle, sender, others], ['Taxes', 'Tom', []]);
});

test('a photo has a camera, an exposure and coordinates', () => {
  const { camera, lens, exposure, coordinates, others } = factsOf({
    'media:camera': 'Box',
    'media:lens': 'Eye',
    'media:exposureTime': '0.004',
    'media:aperture': '2.8',
    'media:iso': '400',
    'media:latitude': '-33.5',
    'media:longitude': '0',
  });
  assert.deepEqual([camera, lens, others], ['Box', 'Eye', []]);
  assert.deepEqual(exposure, { time: '1/250', aperture: 2.8, iso: 400, focalLength: undefined });
  assert.deepEqual(coordinates, { latitude: -33.5, longitude: 0 });
  assert.equal(factsOf({ 'media:exposureTime': '2.5' }).exposure?.time, 2.5);
  assert.equal(factsOf({ 'media:exposureTime': 'long', 'media:latitude': '1' }).exposure, undefined);
  assert.equal(factsOf({ 'media:latitude': '1' }).coordinates, undefined);
});
