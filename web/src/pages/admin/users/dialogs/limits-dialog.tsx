import { ask } from '../../../../api/ask.ts';
import { LimitsForm } from '../../pieces/limits-form.tsx';
import type { UserDialogProps } from '../user-dialog-props.ts';

/** The limits of a user. */
export function LimitsDialog({ user, onClose }: UserDialogProps) {
  const { id, username, storageQuotaBytes, maxUploadSizeBytes, maxEntries } = user;
  const path = { userId: id };
  return (
    <LimitsForm
      of="users"
      name={username}
      ownerId={id}
      current={{ quotaBytes: storageQuotaBytes, uploadBytes: maxUploadSizeBytes, entries: maxEntries }}
      usedBytes={user.storageUsedBytes}
      entryCount={user.entryCount}
      onSave={async ({ quotaBytes, uploadBytes, entries }) => {
        if (quotaBytes !== undefined) {
          const body = { storageQuotaBytes: quotaBytes };
          await ask('PATCH /api/admin/users/{userId}/storage-quota', { path, body });
        }
        if (uploadBytes !== undefined) {
          const body = { maxUploadSizeBytes: uploadBytes };
          await ask('PATCH /api/admin/users/{userId}/max-upload-size', { path, body });
        }
        if (entries !== undefined) {
          const body = { maxEntries: entries };
          await ask('PATCH /api/admin/users/{userId}/max-entries', { path, body });
        }
      }}
      onClose={onClose}
    />
  );
}
