// tier: default
// runs on: sqlite
// runs on, with --full: postgres
// The import into shared drives. import.test.ts has the other rules of imports.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { environmentOf, runCommand } from '../support/app/command.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import { addSharedDrive } from '../support/drives/admin-drive.ts';
import { inDrive } from '../support/drives/shared-drives.ts';

const holdall = await startHoldall();
const env = environmentOf(holdall);
const from = await mkdtemp(path.join(tmpdir(), 'holdall-drive-import-'));
after(() => rm(from, { recursive: true }));
await mkdir(path.join(from, 'plans'));
await writeFile(path.join(from, 'plans', 'a.txt'), 'one');
await writeFile(path.join(from, 'b.txt'), 'two');

const runImport = (...options: readonly string[]) => runCommand(env, ['import', from, ...options]);

describe('import into a shared drive', async () => {
  const emma = await holdall.register('emma');
  const members = [[emma, 'MANAGER'] as const];
  const id = await addSharedDrive(holdall, { name: 'Team', members });

  test('stores a tree in the drive with that name or id', async () => {
    const { code, said, complained } = await runImport('--drive', 'Team');
    assert.equal(code, 0, complained.join('\n'));
    assert.match(said.join('\n'), /^Team: imported 2 files/m);
    assert.deepEqual(
      (await inDrive(emma, id).tree()).map((record) => record.path),
      ['/plans', '/plans/a.txt', '/b.txt'],
    );
    const again = await runImport('--drive', String(id));
    assert.match(again.said.join('\n'), /imported 0 files .* 2 files were there already/);
    await checkBooks(holdall);
  });

  test('rejects a name of several live drives, and says their ids', async () => {
    const [one, two] = [
      await addSharedDrive(holdall, { name: 'Twice', members }),
      await addSharedDrive(holdall, { name: 'Twice', members }),
    ];
    const { code, complained } = await runImport('--drive', 'Twice');
    assert.equal(code, 2);
    assert.match(complained.join(), new RegExp(`${one}, ${two}`));
    await addSharedDrive(holdall, { name: 'Team', deletedAt: holdall.clock.now() });
    assert.equal((await runImport('--drive', 'Team')).code, 0);
  });

  test('needs either an account or a shared drive', async () => {
    for (const options of [
      [],
      ['--user', emma.username, '--drive', 'Team'],
      ['--drive', 'No such drive'],
      ['--drive', String(emma.driveId)],
    ]) {
      assert.equal((await runImport(...options)).code, 2, options.join(' '));
    }
  });
});
