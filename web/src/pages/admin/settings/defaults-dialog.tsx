import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccountDefaultsRecord } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { messageOf } from '../../../common/message-of.ts';
import { refusedField } from '../../../features/account/account-faults.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { notify } from '../../../ui/notifications/notify.ts';
import { LimitFields, useLimits } from '../pieces/limit-fields.tsx';
import { useFormAct } from '../pieces/use-act.ts';

interface DefaultsDialogProps {
  readonly defaults: AccountDefaultsRecord;
  readonly onClose: () => void;
}

const FIELDS = ['defaultMaxEntries', 'defaultDirectories'] as const;

/** The defaults for new users: limits, and the folders of their drives. */
export function DefaultsDialog({ defaults, onClose }: DefaultsDialogProps) {
  const { t } = useTranslation();
  const limits = useLimits({
    quotaBytes: defaults.defaultStorageQuotaBytes,
    uploadBytes: defaults.defaultMaxUploadSizeBytes,
    entries: defaults.defaultMaxEntries,
  });
  const { typed, isChanged } = limits;
  const [initial] = useState(defaults.defaultDirectories);
  const [text, setText] = useState(() => initial.join('\n'));
  const names = namesIn(text);
  const areNamesChanged = names.join('\n') !== initial.join('\n');
  const hasSlash = names.some((name) => name.includes('/'));
  const isTooSmall = typed.entries !== undefined && typed.entries < names.length;
  const change = useFormAct(
    () =>
      ask('PATCH /api/admin/settings/registration/account-defaults', {
        // Unchanged fields are not sent. They may have the configured value, or another admin may be changing
        // them.
        body: {
          ...(isChanged('quotaBytes') ? { defaultStorageQuotaBytes: typed.quotaBytes } : {}),
          ...(isChanged('uploadBytes') ? { defaultMaxUploadSizeBytes: typed.uploadBytes } : {}),
          ...(isChanged('entries') ? { defaultMaxEntries: typed.entries } : {}),
          ...(areNamesChanged ? { defaultDirectories: names } : {}),
        },
      }),
    () => {
      onClose();
      notify(t('admin.settings.defaultsChanged'));
    },
  );
  const refused = refusedField(change.error, FIELDS);
  const refusal = (field: (typeof FIELDS)[number]) => refused === field && messageOf(change.error);
  const isReady = limits.isComplete && (limits.isReady || areNamesChanged) && !hasSlash && !isTooSmall;
  return (
    <FormDialog
      title={t('admin.settings.defaultsTitle')}
      action={t('admin.save')}
      isPending={change.isPending}
      error={refused === undefined ? change.error : null}
      isReady={isReady}
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
          entries: {
            label: t('admin.settings.defaultEntries'),
            error: isTooSmall
              ? t('admin.settings.tooFewEntries', { count: names.length })
              : refusal('defaultMaxEntries'),
          },
        }}
      />
      <Textarea
        label={t('admin.settings.defaultDirectories')}
        description={t('admin.settings.directoriesHint')}
        value={text}
        rows={4}
        spellCheck={false}
        error={hasSlash ? t('drive.noSlash') : refusal('defaultDirectories')}
        onChange={(event) => {
          setText(event.currentTarget.value);
          change.reset();
        }}
      />
    </FormDialog>
  );
}

/** The names in a text with one name per line, without duplicates. */
function namesIn(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}
