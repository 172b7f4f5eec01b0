// tier: full
// runs on: sqlite
import { test } from 'node:test';
import { startHoldall } from '../../../server/test/support/app/holdall.ts';
import { setRole } from '../../../server/test/support/drives/members.ts';
import { createSharedDrive, inDrive } from '../../../server/test/support/drives/shared-drives.ts';
import { SyncModel } from './model.ts';

/** To search for faults manually, set for example `SYNC_SEEDS=1000-1100`. */
const [first = 1, last = 6] = (process.env.SYNC_SEEDS ?? '1-6').split('-').map(Number);

const service = await startHoldall();
const person = await service.register();
const { password } = await person.ask<{ password: string }>('POST', '/api/user/app-passwords', {
  body: { name: 'sync', scope: 'WRITE' },
});

for (let seed = first; seed <= last; seed += 1) {
  test(`two sides become equal and lose nothing, whatever happens (seed ${seed})`, async () => {
    // With many seeds, the run takes longer than a login lasts.
    await person.logIn();
    await new SyncModel(service, person, password, seed).run(8);
  });

  test(`so they do in a shared drive, with changing roles (seed ${seed})`, async () => {
    const ann = await service.register('ann');
    const id = await createSharedDrive(service, [
      [ann, 'MANAGER'],
      [person, 'EDITOR'],
    ]);
    const drive = { id, setRole: (role: 'VIEWER' | 'EDITOR') => setRole(ann, id, person, role) };
    await new SyncModel(service, inDrive(ann, id), password, seed, drive).run(8);
  });
}
