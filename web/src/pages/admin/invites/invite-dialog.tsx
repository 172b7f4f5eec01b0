import { NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminInvite, InviteBody } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { useFormAct } from '../pieces/use-act.ts';

const MAX_USES = 1_000;
const MAX_LETTERS = 200;
const DAY_MS = 86_400_000;
const LIFETIMES = ['never', '1', '7', '30'] as const;

interface InviteDialogProps {
  readonly onDone: (invite: AdminInvite) => void;
  readonly onClose: () => void;
}

/** Creates an invite. */
export function InviteDialog({ onDone, onClose }: InviteDialogProps) {
  const { t } = useTranslation();
  const [note, setNote] = useState('');
  const [uses, setUses] = useState<number | string>(1);
  const [days, setDays] = useState('7');
  const create = useFormAct((body: InviteBody) => ask('POST /api/admin/invites', { body }), onDone);
  return (
    <FormDialog
      title={t('admin.invites.create')}
      action={t('admin.invites.createAction')}
      isPending={create.isPending}
      error={create.error}
      isReady={typeof uses === 'number'}
      onSubmit={() => {
        const expiresAt =
          days === 'never' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
        create.mutate({ note, uses: Number(uses), expiresAt });
      }}
      onClose={onClose}
    >
      <TextInput
        label={t('admin.invites.note')}
        description={t('admin.invites.noteHint')}
        value={note}
        maxLength={MAX_LETTERS}
        autoComplete="off"
        data-autofocus
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <NumberInput
        label={t('admin.invites.uses')}
        value={uses}
        min={1}
        max={MAX_USES}
        clampBehavior="strict"
        allowDecimal={false}
        onChange={setUses}
      />
      <NativeSelect
        label={t('admin.invites.lifetime')}
        value={days}
        data={LIFETIMES.map((value) => ({ value, label: t(`admin.invites.lifetimes.${value}`) }))}
        onChange={(event) => setDays(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
