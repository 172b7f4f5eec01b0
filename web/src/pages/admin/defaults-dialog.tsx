import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../api/ask.ts';
import type { AccountDefaultsRecord } from '../../api/contract.ts';
import { notify } from '../../ui/notify.ts';
import { ByteInput } from './pieces/byte-input.tsx';
import { FormDialog } from './pieces/form-dialog.tsx';
import { toCount } from './pieces/to-count.ts';
import { useFormAct } from './pieces/use-act.ts';

interface DefaultsDialogProps {
  readonly limits: AccountDefaultsRecord;
  readonly onClose: () => void;
}

/** The limits that new users get. */
export function DefaultsDialog({ limits, onClose }: DefaultsDialogProps) {
  const { t } = useTranslation();
  const [quota, setQuota] = useState<number | undefined>(limits.defaultStorageQuotaBytes);
  const [upload, setUpload] = useState<number | undefined>(limits.defaultMaxUploadSizeBytes);
  const [entries, setEntries] = useState<number | undefined>(limits.defaultMaxEntries);
  const change = useFormAct(
    () =>
      ask<AccountDefaultsRecord>('PATCH', '/api/admin/settings/registration/account-defaults', {
        // What was not changed is not sent: it may be as configured, and another admin may be changing it.
        body: {
          ...(quota === limits.defaultStorageQuotaBytes ? {} : { defaultStorageQuotaBytes: quota }),
          ...(upload === limits.defaultMaxUploadSizeBytes ? {} : { defaultMaxUploadSizeBytes: upload }),
          ...(entries === limits.defaultMaxEntries ? {} : { defaultMaxEntries: entries }),
        },
      }),
    () => {
      onClose();
      notify(t('admin.settings.defaultsChanged'));
    },
  );
  const isChanged =
    quota !== limits.defaultStorageQuotaBytes ||
    upload !== limits.defaultMaxUploadSizeBytes ||
    entries !== limits.defaultMaxEntries;
  const isComplete = quota !== undefined && upload !== undefined && entries !== undefined;
  return (
    <FormDialog
      title={t('admin.settings.defaultsTitle')}
      action={t('admin.save')}
      isPending={change.isPending}
      error={change.error}
      isReady={isComplete && isChanged}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <ByteInput
        label={t('admin.settings.defaultQuota')}
        description={t('admin.settings.defaultsHint')}
        bytes={limits.defaultStorageQuotaBytes}
        onChange={setQuota}
      />
      <ByteInput
        label={t('admin.settings.defaultUpload')}
        bytes={limits.defaultMaxUploadSizeBytes}
        onChange={setUpload}
      />
      <NumberInput
        label={t('admin.settings.defaultEntries')}
        defaultValue={limits.defaultMaxEntries}
        allowNegative={false}
        allowDecimal={false}
        thousandSeparator=" "
        required
        onChange={(value) => setEntries(toCount(value))}
      />
    </FormDialog>
  );
}
