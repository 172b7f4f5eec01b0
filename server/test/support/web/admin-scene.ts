import assert from 'node:assert/strict';
import type { AdminPolicy } from '../../../src/admin/storage/contract.ts';
import { asAdmin } from '../app/admin.ts';
import type { Holdall } from '../app/holdall.ts';
import type { Person } from '../app/person.ts';
import { waitForStatus } from '../tasks/tasks.ts';

/** A service in which every list of the administration has content, and users who look at it. */
export async function setAdminScene(holdall: Holdall) {
  const admin = await holdall.admin();
  const view = asAdmin(admin);
  const chief = await holdall.register('chief');
  await view.user(chief, 'role', { role: 'ADMIN' });
  const moderator = await holdall.register('mod');
  await view.user(moderator, 'role', { role: 'MODERATOR' });
  const ann = await holdall.register('ann');
  const banned = await holdall.register('troll');
  await view.user(banned, 'status', { banned: true });
  await view.user(ann, 'storage-quota', { storageQuotaBytes: 1_000_000 });
  const report = await ann.upload('/Documents/annual report.pdf', 'x'.repeat(920_000), 'application/pdf');
  const share = (person: Person, fileId: number, more: object) =>
    person.ask('POST', '/api/v2/shares', { body: { fileId, ...more } });
  await share(ann, report.id, { shareName: 'Report', password: 'sesame', maxDownloads: 3 });
  await share(ann, report.id, { shareName: 'Soon over', expiresAt: new Date(holdall.clock.now() + 60_000) });
  await ann.ask('POST', `/api/files/${report.id}/share-links`);
  const inbox = await ann.mkdir('/Inbox');
  const options = { title: 'Scans', password: 'sesame', maxFiles: 10 };
  await ann.ask('POST', '/api/v2/folder-links', {
    body: { directoryId: inbox.id, mode: 'UPLOAD', ...options },
  });
  await failTask(ann);
  const [standard] = await admin.ask<AdminPolicy[]>('GET', '/api/admin/storage-policies');
  assert.ok(standard);
  await admin.ask('POST', '/api/admin/storage-policies', {
    body: { ...standard, name: 'Cold archive', prefix: 'cold', enabled: false },
  });
  await admin.ask('POST', '/api/admin/invites', { body: { note: 'For the family', uses: 5 } });
  holdall.clock.advance(61_000);
  return { view, chief, moderator, ann, banned, report };
}

/** Makes a task fail: its archive would have a name that is taken. */
async function failTask(person: Person): Promise<void> {
  const file = await person.upload('/a.txt', 'a');
  await person.upload('/a.txt.zip', 'taken');
  const task = await person.ask<{ id: number }>('POST', '/api/v2/tasks/archive', {
    body: { fileId: file.id, path: '/a.txt' },
  });
  await waitForStatus(person, task, 'FAILED');
}

/** Uploads a file whose bytes then disappear from the store. */
export async function loseFile(holdall: Holdall, person: Person): Promise<void> {
  const { id } = await person.upload('/lost', 'lost');
  const { object_key: key } = await holdall.app.database.db
    .selectFrom('entry')
    .innerJoin('blob', 'blob.id', 'entry.blob_id')
    .select('blob.object_key')
    .where('entry.id', '=', id)
    .executeTakeFirstOrThrow();
  await holdall.app.store.remove([key]);
}
