import { useTranslation } from 'react-i18next';
import { ask } from '../../api/ask.ts';
import type { AccountDefaultsRecord } from '../../api/contract.ts';
import { notify } from '../../ui/notifications/notify.ts';
import { FormDialog } from './pieces/form-dialog.tsx';
import { LimitFields, useLimits } from './pieces/limit-fields.tsx';
import { useFormAct } from './pieces/use-act.ts';

interface DefaultsDialogProps {
  readonly limits: AccountDefaultsRecord;
  readonly onClose: () => void;
}

/** The limits that new users get. */
export function DefaultsDialog({ limits: stored, onClose }: DefaultsDialogProps) {
  const { t } = useTranslation();
  const limits = useLimits({
    quotaBytes: stored.defaultStorageQuotaBytes,
    uploadBytes: stored.defaultMaxUploadSizeBytes,
    entries: stored.defaultMaxEntries,
  });
  const { typed, isChanged } = limits;
  const change = useFormAct(
    () =>
      ask<AccountDefaultsRecord>('PATCH', '/api/admin/settings/registration/account-defaults', {
        // What was not changed is not sent: it may be as configured, and another admin may be changing it.
        body: {
          ...(isChanged('quotaBytes') ? { defaultStorageQuotaBytes: typed.quotaBytes } : {}),
          ...(isChanged('uploadBytes') ? { defaultMaxUploadSizeBytes: typed.uploadBytes } : {}),
          ...(isChanged('entries') ? { defaultMaxEntries: typed.entries } : {}),
        },
      }),
    () => {
      onClose();
      notify(t('admin.settings.defaultsChanged'));
    },
  );
  return (
    <FormDialog
      title={t('admin.settings.defaultsTitle')}
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
            label: t('admin.settings.defaultQuota'),
            description: t('admin.settings.defaultsHint'),
          },
          uploadBytes: { label: t('admin.settings.defaultUpload') },
          entries: { label: t('admin.settings.defaultEntries') },
        }}
      />
    </FormDialog>
  );
}
