// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';

const stored = new Map<string, string>();
let isBlocked = false;
/** Throws like a browser that does not let pages store anything. */
const check = () => {
  if (isBlocked) throw new Error('The operation is insecure.');
};
const localStorage = {
  getItem: (key: string) => {
    check();
    return stored.get(key) ?? null;
  },
  setItem: (key: string, text: string) => {
    check();
    stored.set(key, text);
  },
  removeItem: (key: string) => {
    check();
    stored.delete(key);
  },
};
Object.assign(globalThis, { localStorage });
const { deviceHeaders } = await import('./device.ts');
const { readStored, writeStored } = await import('./stored.ts');

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const deviceOf = () => deviceHeaders()['x-service-device'];

test('the browser gets a device UUID once and keeps it', () => {
  const device = deviceOf();
  assert.match(device, UUID);
  assert.equal(deviceOf(), device);
  assert.deepEqual([...stored.values()], [device]);
  stored.clear();
  assert.notEqual(deviceOf(), device);
});

test('a stored text that is not a UUID is replaced, because the service would reject it', () => {
  stored.set('holdall.device', 'my laptop');
  assert.match(deviceOf(), UUID);
  assert.equal(stored.get('holdall.device'), deviceOf());
});

test('the page keeps the UUID and all other texts in memory if nothing can be stored', () => {
  isBlocked = true;
  const device = deviceOf();
  assert.match(device, UUID);
  assert.equal(deviceOf(), device);
  writeStored('name', 'value');
  assert.equal(readStored('name'), 'value');
  writeStored('name', undefined);
  assert.equal(readStored('name'), undefined);
  isBlocked = false;
});
