import type { AdminDrive, AdminDriveMember } from '../../../src/admin/drives/contract.ts';
import type { AdminFile, AdminFolderLink, AdminShare } from '../../../src/admin/files/contract.ts';
import type { AdminAudit, Summary } from '../../../src/admin/overview/contract.ts';
import type { AdminBlob } from '../../../src/admin/storage/contract.ts';
import type { AdminTask } from '../../../src/admin/tasks/contract.ts';
import type { AdminUser } from '../../../src/admin/users/contract.ts';
import type { Listing, Person } from './person.ts';

type Query = Readonly<Record<string, string | number | boolean>>;

/** The calls of the admin API, by name. */
export function asAdmin(admin: Person) {
  const page =
    <T>(path: string) =>
    (query: Query = {}): Promise<Listing<T>> => {
      const parameters = new URLSearchParams();
      for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
      return admin.ask('GET', `/api/admin/${path}?${parameters}`);
    };
  return {
    users: page<AdminUser>('users'),
    drives: page<AdminDrive>('drives'),
    members: (driveId: number) =>
      admin.ask<readonly AdminDriveMember[]>('GET', `/api/admin/drives/${driveId}/members`),
    files: page<AdminFile>('files'),
    shares: page<AdminShare>('shares'),
    folderLinks: page<AdminFolderLink>('folder-links'),
    tasks: page<AdminTask>('tasks'),
    blobs: page<AdminBlob>('file-blobs'),
    audits: page<AdminAudit>('audits'),
    summary: () => admin.ask<Summary>('GET', '/api/admin/summary'),
    user: (person: { id: number }, what: string, body: unknown) =>
      admin.ask<AdminUser>('PATCH', `/api/admin/users/${person.id}/${what}`, { body }),
  };
}
