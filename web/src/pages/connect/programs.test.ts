// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROGRAMS, usualProgram } from './programs.ts';

test('each program gets the address in the form that it expects', () => {
  const access = { address: 'https://drive.example.org/dav/', username: 'ann' };
  const entered = PROGRAMS.flatMap(({ steps }) => steps.flatMap((step) => step.entered?.(access) ?? []));
  for (const expected of [
    'https://drive.example.org/dav/',
    'davs://drive.example.org/dav/',
    'webdavs://drive.example.org/dav/',
    'https://drive.example.org/dav/Joplin',
    'https://drive.example.org/dav/Passwords.kdbx',
    'sudo mount -t davfs https://drive.example.org/dav/ /mnt/drive',
  ])
    assert.ok(entered.includes(expected), `${expected} is not among ${entered.join('\n')}`);
  const [gnome] = PROGRAMS.find(({ name }) => name === 'linux')?.steps ?? [];
  assert.equal(
    gnome?.entered?.({ ...access, address: 'http://127.0.0.1:8080/dav/' }),
    'dav://127.0.0.1:8080/dav/',
  );
});

test('the steps for the usual program of the device are shown first', () => {
  for (const [program, userAgent] of [
    ['phone', 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36'],
    ['phone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15'],
    [
      'finder',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15',
    ],
    ['explorer', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    ['linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ] as const)
    assert.equal(usualProgram(userAgent), program);
});
