// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceOf, orderSystems, SYSTEMS } from './systems.ts';

const ACCESS = { address: 'https://drive.example.org/dav/', username: 'ann', password: 'hda_x' };
const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15';

test('each program gets the address in the form that it expects', () => {
  const steps = SYSTEMS.flatMap(({ programs }) => programs.flatMap((program) => program.steps));
  const entered = steps.flatMap((step) => step.entered?.(ACCESS) ?? []);
  for (const expected of [
    'https://drive.example.org/dav/',
    'davs://drive.example.org/dav/',
    'webdavs://drive.example.org/dav/',
    'https://drive.example.org/dav/Joplin',
    'https://drive.example.org/dav/Passwords.kdbx',
    'sudo mount -t davfs https://drive.example.org/dav/ /mnt/drive',
    'holdall login https://drive.example.org --app-password',
    'rclone config create drive webdav url=https://drive.example.org/dav/ vendor=owncloud user=ann pass=hda_x --obscure',
  ])
    assert.ok(entered.includes(expected), `${expected} is not among ${entered.join('\n')}`);
  const gnome = steps.find(({ text }) => text === 'connect.gnome');
  assert.equal(
    gnome?.entered?.({ ...ACCESS, address: 'http://127.0.0.1:8080/dav/' }),
    'dav://127.0.0.1:8080/dav/',
  );
});

test('the device is recognised by its browser', () => {
  for (const [system, name, userAgent, touchPoints] of [
    ['phone', 'Android', 'Mozilla/5.0 (Linux; Android 16) Chrome/140.0.0.0 Mobile Safari/537.36', 5],
    ['phone', 'iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Version/26 Safari/605.1', 5],
    ['phone', 'iPad', MAC, 5],
    ['mac', 'Mac', MAC, 0],
    ['windows', 'Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Firefox/140.0', 10],
    ['linux', 'Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 0],
  ] as const)
    assert.deepEqual(deviceOf(userAgent, touchPoints), { system, name });
});

test('the system of the device comes first, unless the address asks for others', () => {
  const orderOf = (own: 'phone' | 'mac', wanted: string) =>
    orderSystems({ system: own, name: undefined }, wanted).map(({ name }) => name);
  assert.deepEqual(orderOf('mac', ''), ['mac', 'windows', 'linux', 'phone', 'notes']);
  assert.deepEqual(orderOf('mac', 'phones'), ['phone', 'mac', 'windows', 'linux', 'notes']);
  assert.deepEqual(orderOf('phone', ''), ['phone', 'windows', 'mac', 'linux', 'notes']);
  assert.deepEqual(orderOf('phone', 'desktop'), ['windows', 'mac', 'linux', 'phone', 'notes']);
});
