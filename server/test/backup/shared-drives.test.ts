// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { asAdmin } from '../support/app/admin.ts';
import { environmentOf, runCommand } from '../support/app/command.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import { at, CURRENT, startRestored } from '../support/checks/restored.ts';
import { addSharedDrive } from '../support/drives/admin-drive.ts';
import { inDrive } from '../support/drives/shared-drives.ts';

const scratch = await mkdtemp(path.join(tmpdir(), 'holdall-shared-backup-'));
after(() => rm(scratch, { recursive: true }));
const holdall = await startHoldall({
  env: { HOLDALL_ACCESS_TOKEN_TTL: '900d', HOLDALL_RATE_LIMITS: 'off' },
});

test('a restored installation has its shared drives, with their content, bins, members and roles', async () => {
  const admin = await holdall.admin();
  const [alice, bob] = [await holdall.register('alice'), await holdall.register('bob')];
  const members = [[alice, 'MANAGER'] as const, [bob, 'VIEWER'] as const];
  const id = await addSharedDrive(holdall, { name: 'Team', members });
  const deleted = await addSharedDrive(holdall, { name: 'Old', members, deletedAt: holdall.clock.now() });
  const member = inDrive(alice, id);
  const file = await member.upload('/docs/plan.txt', 'the first plan');
  await member.ask('PUT', `/api/v2/files/${file.id}/content`, { body: 'the second plan' });
  await member.recycle(await member.upload('/old.txt', 'old'));
  const [tree, bin] = [await member.tree(), await member.bin()];
  const drives = await asAdmin(admin).drives();

  const directory = path.join(scratch, 'backup');
  const { code, complained } = await runCommand(environmentOf(holdall), ['backup', directory]);
  assert.equal(code, 0, complained.join('\n'));
  const restored = await startRestored(holdall, directory, CURRENT);

  const [there, viewer] = [inDrive(at(restored, alice), id), inDrive(at(restored, bob), id)];
  assert.deepEqual(await there.tree(), tree);
  assert.deepEqual((await there.bin()).items, bin.items);
  assert.equal((await viewer.download(file)).toString(), 'the second plan');
  await viewer.refused(403, 1002, 'POST', '/api/files/mkdir', { body: { path: '/no' } });
  assert.equal((await inDrive(there, deleted).call('GET', '/api/files/list?path=/')).status, 404);
  assert.deepEqual(await asAdmin(at(restored, admin)).drives(), drives);
  await there.upload('/docs/more.txt', 'more');
  await checkBooks(restored);
});
