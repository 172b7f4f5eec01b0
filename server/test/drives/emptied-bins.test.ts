// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import { closeLockGate } from '../support/drives/lock-gate.ts';
import { addMember, removeMember, setRole } from '../support/drives/members.ts';
import { createDrive, inDrive } from '../support/drives/shared-drives.ts';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });

afterEach(() => checkBooks(holdall));

for (const [what, status, reduce] of [
  ['was removed', 404, removeMember],
  ['was demoted', 403, (...args: Parameters<typeof removeMember>) => setRole(...args, 'EDITOR')],
] as const) {
  test(`emptying the bin of a manager who ${what} meanwhile purges no more, and says so`, async (context) => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    const { id } = await createDrive(ann);
    assert.equal((await addMember(ann, id, { username: bob.username, role: 'MANAGER' })).status, 200);
    const there = inDrive(ann, id);
    for (const name of ['one', 'two', 'three']) await there.recycle(await there.upload(`/${name}`, name));
    let purges = 0;
    const gate = closeLockGate(context, [holdall], ({ accountId }) => {
      if (accountId !== bob.id) return false;
      purges += 1;
      return purges === 2;
    });
    const emptying = inDrive(bob, id).call('DELETE', '/api/files/recycle-bin');
    await gate.reached();
    assert.equal((await reduce(ann, id, bob)).status, 200);
    gate.open();
    assert.equal((await emptying).status, status);
    assert.equal((await there.bin()).total, 2);
  });
}
