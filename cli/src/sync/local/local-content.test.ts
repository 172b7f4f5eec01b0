// tier: default
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { ConflictError } from '../../../../client/src/client.ts';
import { openLocalContent } from './local-content.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'holdall-local-content-'));
const root = path.join(folder, 'files');
const outside = path.join(folder, 'outside');
after(() => rmSync(folder, { recursive: true, force: true }));

const LARGE = Buffer.alloc(600_000, 'large');
const SECRET = Buffer.alloc(600_000, 'secret');

beforeEach(() => {
  for (const directory of [root, outside]) rmSync(directory, { recursive: true, force: true });
  for (const [directory, content] of [
    [root, LARGE],
    [outside, SECRET],
  ] as const) {
    mkdirSync(path.join(directory, 'dir'), { recursive: true });
    writeFileSync(path.join(directory, 'dir/small'), content.subarray(0, 5));
    writeFileSync(path.join(directory, 'dir/large'), content);
  }
});

function replaceByLink(file: string): void {
  renameSync(path.join(root, file), path.join(folder, 'files', 'aside'));
  symlinkSync(path.join(outside, file), path.join(root, file));
}

const SIZES = { small: 5, large: LARGE.length };

for (const [system, hasOpenFiles] of [
  ['Linux', true],
  ['other systems', false],
] as const) {
  const openFile = (kind: keyof typeof SIZES) => {
    const place = { root, localPath: `dir/${kind}`, size: SIZES[kind], checkAbove: () => undefined };
    return openLocalContent(place, hasOpenFiles);
  };

  describe(`on ${system},`, () => {
    for (const kind of ['small', 'large'] as const) {
      const expected = LARGE.subarray(0, SIZES[kind]);

      test(`a ${kind} file can be read in every way`, async () => {
        const content = await openFile(kind);
        const { source } = content;
        const bytes = source instanceof Uint8Array ? source : new Uint8Array(source.size);
        if (!(source instanceof Uint8Array)) await source.readPiece(0, bytes);
        assert.ok(expected.equals(bytes));
        assert.ok(expected.equals(Buffer.from(await new Blob([await content.toBody()]).arrayBuffer())));
        const sha256 = createHash('sha256').update(expected).digest('hex');
        assert.equal(await content.computeSha256(AbortSignal.timeout(60_000)), sha256);
        await content.close();
      });

      test(`opening a ${kind} file fails if a symbolic link has replaced it`, async () => {
        replaceByLink(`dir/${kind}`);
        await assert.rejects(openFile(kind), /A symbolic link has replaced/);
      });

      test(`opening a ${kind} file fails if a named pipe has replaced it`, async () => {
        rmSync(path.join(root, 'dir', kind));
        execFileSync('mkfifo', [path.join(root, 'dir', kind)]);
        await assert.rejects(openFile(kind), /It is no longer a file/);
      });
    }

    test('reading a large file stops when the file has changed', async () => {
      const content = await openFile('large');
      writeFileSync(path.join(root, 'dir/large'), 'changed');
      const { source } = content;
      assert.ok(!(source instanceof Uint8Array));
      await assert.rejects(source.readPiece(0, new Uint8Array(5)), ConflictError);
      await content.close();
    });
  });
}

describe('when a symbolic link replaces a directory,', () => {
  for (const kind of ['small', 'large'] as const) {
    test(`Linux opens no ${kind} file through it, even after a check of the directory`, async () => {
      const checkAbove = () => replaceByLink('dir');
      const place = { root, localPath: `dir/${kind}`, size: SIZES[kind], checkAbove };
      await assert.rejects(openLocalContent(place, true), /A symbolic link has replaced/);
    });

    test(`other systems check the directory again once a ${kind} file is open`, async () => {
      let count = 0;
      const checkAbove = () => {
        count += 1;
        if (count === 1) replaceByLink('dir');
        else throw new ConflictError('dir is no longer the same directory.');
      };
      const place = { root, localPath: `dir/${kind}`, size: SIZES[kind], checkAbove };
      await assert.rejects(openLocalContent(place, false), /dir is no longer the same directory/);
    });
  }

  test('the body of a request still comes from the file that is open', async () => {
    const place = { root, localPath: 'dir/large', size: LARGE.length, checkAbove: () => undefined };
    const content = await openLocalContent(place, true);
    replaceByLink('dir');
    const body = await content.toBody();
    assert.ok(body instanceof Blob && LARGE.equals(Buffer.from(await body.arrayBuffer())));
    await content.close();
  });
});
