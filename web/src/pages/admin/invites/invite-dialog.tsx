import { NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminInvite, InviteBody } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { findEmailFault } from '../../../features/account/account-faults.ts';
import { useIsMailOn } from '../../../features/account/use-security.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { useFormAct } from '../pieces/use-act.ts';

const MAX_USES = 1_000;
const MAX_LETTERS = 200;
const DAY_MS = 86_400_000;
const LIFETIMES = ['never', '1', '7', '30'] as const;

interface InviteDialogProps {
  /** @param email the address that the invitation is mailed to; undefined if there is none */
  readonly onDone: (invite: AdminInvite, email: string | undefined) => void;
  readonly onClose: () => void;
}

/** Creates an invite, and mails it if there is an address. */
export function InviteDialog({ onDone, onClose }: InviteDialogProps) {
  const { t } = useTranslation();
  const [note, setNote] = useState('');
  const [uses, setUses] = useState<number | string>(1);
  const [days, setDays] = useState('7');
  const [email, setEmail] = useState('');
  const [hasLeftEmail, setLeftEmail] = useState(false);
  const isMailOn = useIsMailOn();
  const isMailed = isMailOn && email.trim() !== '';
  const emailFault = isMailed ? findEmailFault(email) : undefined;
  const create = useFormAct(
    (body: InviteBody) => ask('POST /api/admin/invites', { body }),
    (invite, body) => onDone(invite, body.email ?? undefined),
  );
  return (
    <FormDialog
      title={t('admin.invites.create')}
      action={t(isMailed ? 'admin.invites.send' : 'admin.invites.createAction')}
      isPending={create.isPending}
      error={create.error}
      isReady={typeof uses === 'number' && emailFault === undefined}
      onSubmit={() => {
        const expiresAt =
          days === 'never' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
        create.mutate({ note, uses: Number(uses), expiresAt, ...(isMailed && { email: email.trim() }) });
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
      {isMailOn && (
        <TextInput
          label={t('admin.invites.email')}
          description={t('admin.invites.emailHint')}
          type="email"
          autoComplete="off"
          value={email}
          error={hasLeftEmail && emailFault !== undefined && t(`auth.${emailFault}`)}
          onBlur={() => setLeftEmail(true)}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  );
}
