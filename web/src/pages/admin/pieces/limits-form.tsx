import { useTranslation } from 'react-i18next';
import { ask } from '../../../api/ask.ts';
import { updateUser } from '../../../api/session.ts';
import { useUser } from '../../../api/use-session.ts';
import { formatBytes, formatNumber } from '../../../messages/formats.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { notify } from '../../../ui/notifications/notify.ts';
import { LimitFields, type Limits, useLimits } from './limit-fields.tsx';
import { useFormAct } from './use-act.ts';

interface LimitsFormProps {
  /** Decides the words. */
  readonly of: 'users' | 'drives';
  readonly name: string;
  /** The account whose limits they are; null for those of a shared drive. */
  readonly ownerId: number | null;
  readonly current: Limits;
  readonly usedBytes: number;
  readonly entryCount: number;
  /** Stores the limits that the admin has changed. */
  readonly onSave: (changed: Partial<Limits>) => Promise<void>;
  readonly onClose: () => void;
}

/** The storage quota, the upload limit and the entry limit of a user or a drive. */
export function LimitsForm(props: LimitsFormProps) {
  const { of, name, ownerId, current, usedBytes, entryCount, onSave, onClose } = props;
  const { t } = useTranslation();
  const me = useUser();
  const limits = useLimits(current);
  const change = useFormAct(
    async () => {
      await onSave(limits.changed());
      // Refreshes the navigation, which shows the admin's own limits.
      if (ownerId === me.id) updateUser(await ask('GET /api/user/profile'));
    },
    () => {
      onClose();
      notify(t(`admin.${of}.limitsChanged`, { name }));
    },
  );
  return (
    <FormDialog
      title={t('admin.users.limitsTitle', { name })}
      action={t('admin.save')}
      isPending={change.isPending}
      error={change.error}
      isReady={limits.isReady}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <LimitFields
        limits={limits}
        words={{
          quotaBytes: {
            label: t('admin.users.quota'),
            description: t('admin.users.quotaHint', { used: formatBytes(usedBytes) }),
          },
          uploadBytes: {
            label: t(`admin.${of}.uploadLimit`),
            description: t(`admin.${of}.uploadLimitHint`),
          },
          entries: {
            label: t('admin.users.maxEntries'),
            description: t(`admin.${of}.maxEntriesHint`, { used: formatNumber(entryCount) }),
          },
        }}
      />
    </FormDialog>
  );
}
