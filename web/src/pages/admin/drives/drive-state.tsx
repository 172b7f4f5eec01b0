import { useTranslation } from 'react-i18next';
import type { AdminDrive } from '../../../../../client/src/client.ts';
import { Mark } from '../pieces/mark.tsx';

/** Whether the drive is deleted, and whether it needs a manager. */
export function DriveState({ drive: { deletedAt, managerCount } }: { drive: AdminDrive }) {
  const { t } = useTranslation();
  return (
    <>
      {deletedAt === null ? (
        <Mark tone="good" text={t('admin.drives.states.live')} />
      ) : (
        <Mark tone="bad" text={t('admin.drives.states.deleted')} />
      )}
      {managerCount === 0 && <Mark tone="doubtful" text={t('admin.drives.noManager')} />}
    </>
  );
}
