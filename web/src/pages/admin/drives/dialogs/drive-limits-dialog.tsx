import { ask } from '../../../../api/ask.ts';
import { LimitsForm } from '../../pieces/limits-form.tsx';
import { type DriveDialogProps, nameOf } from '../drive-dialog-props.ts';

/** The limits of a drive. */
export function DriveLimitsDialog({ drive, onClose }: DriveDialogProps) {
  const { id, ownerId, quotaBytes, maxUploadBytes, maxEntries, usedBytes, entryCount } = drive;
  return (
    <LimitsForm
      of="drives"
      name={nameOf(drive)}
      ownerId={ownerId}
      current={{ quotaBytes, uploadBytes: maxUploadBytes, entries: maxEntries }}
      usedBytes={usedBytes}
      entryCount={entryCount}
      onSave={async ({ uploadBytes, entries, ...changed }) => {
        const body = { ...changed, maxUploadBytes: uploadBytes, maxEntries: entries };
        await ask('PATCH /api/admin/drives/{id}/limits', { path: { id }, body });
      }}
      onClose={onClose}
    />
  );
}
