// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toSortName } from '../../common/names/sort-name.ts';
import { findByPrefix, type NameOrder } from './find-by-prefix.ts';

const files = Array.from({ length: 5_000 }, (_, index) => `file ${String(index).padStart(4, '0')}.txt`);
const sortedFiles = [...files, 'Zürich.jpg', '𝒜.txt', '电影.mp4'].toSorted(byKey);

function byKey(one: string, other: string): number {
  return Buffer.compare(Buffer.from(toSortName(one)), Buffer.from(toSortName(other)));
}

function newList(order: NameOrder) {
  const asc = [
    ...['Äpfel', 'zebra'].map((filename) => ({ filename, directory: true })),
    ...sortedFiles.map((filename) => ({ filename, directory: false })),
  ];
  const part = (directory: boolean) => asc.filter((entry) => entry.directory === directory).toReversed();
  const list = order.direction === 'asc' ? asc : [...part(true), ...part(false)];
  let reads = 0;
  const find = async (text: string) => {
    const at = await findByPrefix(text, list.length, order, async (index) => {
      reads += 1;
      return list[index];
    });
    return at === undefined ? undefined : list[at]?.filename;
  };
  return { find, reads: () => reads };
}

for (const direction of ['asc', 'desc'] as const) {
  test(`finds entries by the beginning of their names, sorted ${direction}`, async () => {
    const { find, reads } = newList({ direction, isFoldersFirst: true });
    assert.equal(await find('file 04'), direction === 'asc' ? 'file 0400.txt' : 'file 0499.txt');
    assert.equal(await find('FILE 4999'), 'file 4999.txt');
    assert.equal(await find('äp'), 'Äpfel');
    assert.equal(await find('z'), 'zebra');
    assert.equal(await find('zü'), 'Zürich.jpg');
    assert.equal(await find('𝒜'), '𝒜.txt');
    assert.equal(await find('电'), '电影.mp4');
    assert.equal(await find('zu'), 'Zürich.jpg');
    assert.equal(await find('file 9'), 'file 0009.txt');
    assert.equal(await find('file 7000'), undefined);
    assert.ok(reads() < 10 * 70, `${reads()} entries were read`);
  });
}

test('a list that mixes folders and files is searched as a whole', async () => {
  const names = ['a', 'b folder', 'c'];
  const read = async (index: number) => ({ filename: names[index] ?? '', directory: index === 1 });
  assert.equal(await findByPrefix('b', 3, { direction: 'asc', isFoldersFirst: false }, read), 1);
  assert.equal(await findByPrefix('x', 0, { direction: 'asc', isFoldersFirst: false }, read), undefined);
});

test('finds names whose number begins with the typed digits', async () => {
  const names = Array.from({ length: 700 }, (_, index) => `IMG_${index + 30}.jpg`);
  const find = async (text: string, direction: NameOrder['direction']) => {
    const list = direction === 'asc' ? names : names.toReversed();
    const read = async (index: number) => ({ filename: list[index] ?? '', directory: false });
    return list[(await findByPrefix(text, list.length, { direction, isFoldersFirst: true }, read)) ?? -1];
  };
  assert.equal(await find('img_4', 'asc'), 'IMG_40.jpg');
  assert.equal(await find('img_10', 'asc'), 'IMG_100.jpg');
  assert.equal(await find('img_4', 'desc'), 'IMG_499.jpg');
  assert.equal(await find('img_45.', 'desc'), 'IMG_45.jpg');
  assert.equal(await find('img_9000', 'asc'), undefined);
});
