// tier: full
// runs on: sqlite, s3
// needs: archivers
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { runArchiver } from '../../../../tools/programs/archivers.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { checkBooks } from '../../support/checks/books.ts';
import { ArchiveTasks } from '../../support/tasks/archive-tasks.ts';
import { makeDirectory, readDirectory } from '../../support/tasks/directory-tree.ts';
import { DOCS, personWith } from '../../support/tasks/docs-tree.ts';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const tasks = new ArchiveTasks(holdall);

describe('an archive task', () => {
  it('creates an archive next to the directory that other programs unpack to the same tree', async () => {
    const { person, docs } = await personWith(holdall, DOCS);
    const record = await tasks.archive(person, docs);
    assert.deepEqual([record.path, record.contentType], ['/docs.zip', 'application/zip']);
    const bytes = await person.download(record);
    assert.equal(bytes.byteLength, record.size);
    const directory = await makeDirectory();
    await writeFile(path.join(directory, 'a.zip'), bytes);
    await runArchiver('unzip', ['-q', 'a.zip', '-d', 'unzip'], directory);
    await runArchiver('7z', ['x', '-o7z', 'a.zip'], directory);
    const test =
      "import zipfile; z = zipfile.ZipFile('a.zip'); assert z.testzip() is None; z.extractall('python')";
    await runArchiver('python3', ['-c', test], directory);
    for (const program of ['unzip', '7z', 'python']) {
      assert.deepEqual(await readDirectory(path.join(directory, program)), DOCS, program);
    }
    await checkBooks(holdall);
  });
});
