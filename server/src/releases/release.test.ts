// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../base/failure.ts';
import { isPackageHead, nameRelease } from './release.ts';

test('the file name of a release consists of its name and version', () => {
  assert.deepEqual(nameRelease('holdall', '1.4.0-rc+2', 14), {
    versionCode: 14,
    versionName: '1.4.0-rc+2',
    fileName: 'holdall-1.4.0-rc+2.apk',
  });
});

test('names that could change the path or a header are rejected', () => {
  const refused: readonly (readonly [name: string, versionName: string, versionCode: number])[] = [
    ['../holdall', '1', 1],
    ['', '1', 1],
    ['holdall', '../../etc/passwd', 1],
    ['holdall', '1/2', 1],
    ['holdall', '1"; x', 1],
    ['holdall', '.1', 1],
    ['holdall', '1\n', 1],
    ['holdall', '', 1],
    ['holdall', 'x'.repeat(65), 1],
    ['hôldall', '1', 1],
    ['holdall', '1', 0],
    ['holdall', '1', 1.5],
    ['holdall', '1', 2_100_000_001],
    ['holdall', '1', Number.NaN],
  ];
  for (const [name, versionName, versionCode] of refused) {
    assert.throws(
      () => nameRelease(name, versionName, versionCode),
      (error) => error instanceof Failure && error.kind === 'invalid',
      `${name} ${versionName} ${versionCode}`,
    );
  }
});

test('a package must begin like a ZIP archive', () => {
  assert.ok(isPackageHead(Buffer.from('PK\x03\x04rest')));
  assert.ok(!isPackageHead(Buffer.from('PK\x05\x06')));
  assert.ok(!isPackageHead(Buffer.from('PK')));
});
