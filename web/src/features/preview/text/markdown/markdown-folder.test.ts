// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toDrivePath } from './markdown-folder.ts';

test('a relative link leads to a path in the drive, and any other link does not', () => {
  for (const [link, path] of [
    ['img/a.png', '/Notes 1/img/a.png'],
    ['./b%20c.md#part', '/Notes 1/b c.md'],
    ['../Photos/夏.jpg', '/Photos/夏.jpg'],
    ['../../../../up.txt', '/up.txt'],
    ['/Home.md?x=1', '/Home.md'],
    ['https://example.org/a.png', undefined],
    ['//example.org/a.png', undefined],
    ['\\\\example.org\\a.png', undefined],
    ['javascript:alert(1)', undefined],
    ['#part', undefined],
    ['%zz', undefined],
    ['', undefined],
  ] as const) {
    assert.equal(toDrivePath('/Notes 1', link), path, link);
  }
  assert.equal(toDrivePath('/', 'a.png'), '/a.png');
});
