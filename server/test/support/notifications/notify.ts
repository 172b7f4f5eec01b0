import type {
  Notification,
  NotificationData,
  NotificationKind,
} from '../../../src/base/domain/notifications.ts';
import type { Holdall } from '../app/holdall.ts';
import type { Person } from '../app/person.ts';

/** Something of every kind that a person can be told. */
export const SAMPLES: NotificationData = {
  DRIVE_MEMBER: { driveId: 12, driveName: 'Team', role: 'EDITOR', isNew: true, byName: 'Ada' },
  LINK_FILES: {
    ...{ linkId: 3, title: 'Summer', driveId: 12, driveName: 'Team', directoryId: 9 },
    ...{ files: 3, bytes: 2_500_000, senders: ['Tom', 'Ann'] },
  },
  TRANSFER_FETCHED: { files: 3, fileName: 'report.pdf' },
  SHARE_ENDED: {
    ...{ of: 'SHARE', id: 4, name: 'plan.txt', driveId: 12 },
    ...{ reason: 'USED_UP', expiresAt: null },
  },
  SECURITY: {
    event: 'NEW_LOGIN',
    program: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
    address: '192.0.2.7',
  },
  DRIVE_FULL: { driveId: 12, driveName: 'Team', usedBytes: 950_000_000, quotaBytes: 1_000_000_000 },
  TASK_FAILED: { taskId: 5, type: 'EXTRACT', driveId: 12, error: 'The archive is damaged.' },
  SERVICE_FAULT: { fault: 'BACKUP', name: 'nightly', message: 'The target has no room.' },
};

/** Tells a person something, by default the sample of the kind. */
export async function notify<K extends NotificationKind>(
  { app }: Holdall,
  { id }: Pick<Person, 'id'>,
  kind: K,
  data: Partial<NotificationData[K]> = {},
): Promise<void> {
  // The members are those of the kind.
  const notification = { kind, data: { ...SAMPLES[kind], ...data } } as Notification;
  await app.database.transact((tx) => app.notifications.notify(tx, [id], notification));
}
