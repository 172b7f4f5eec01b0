// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromDriveAddress, toDriveAddress } from './drive-addresses.ts';

const split = (address: string) => {
  const { pathname, search } = new URL(address, 'http://localhost');
  return { pathname, search };
};
const join = ({ pathname, search }: { pathname: string; search: string }) => pathname + search;

test('addresses of a shared drive and of its pages are converted into each other', () => {
  for (const [shared, page] of [
    ['/drives/12/files/', '/drive/?drive=12'],
    ['/drives/12/files/A%20b/drives/7', '/drive/A%20b/drives/7?drive=12'],
    ['/drives/12/files/A?select=7', '/drive/A?select=7&drive=12'],
    ['/drives/12/bin', '/bin?drive=12'],
    ['/drives/12/search?q=%222026%22', '/search?q=%222026%22&drive=12'],
  ] as const) {
    assert.equal(join(fromDriveAddress(split(shared))), page);
    assert.equal(join(toDriveAddress(split(page))), shared);
  }
  assert.equal(join(fromDriveAddress(split('/drives/12'))), '/drive?drive=12');
});

test('all other addresses stay as they are', () => {
  for (const address of [
    '/drive/drives/12/bin',
    '/drives/12/profile',
    '/drives/12/drive/A',
    '/drives/x/bin',
    '/drives/012/bin',
    '/bin?drives=12',
  ]) {
    assert.equal(join(fromDriveAddress(split(address))), address);
    assert.equal(join(toDriveAddress(split(address))), address);
  }
  assert.equal(join(toDriveAddress(split('/profile?drive=12'))), '/profile?drive=12');
  assert.equal(join(toDriveAddress(split('/bin?drive=x'))), '/bin?drive=x');
});
