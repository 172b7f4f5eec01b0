import { Button, Group, Paper, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../../api/ask.ts';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { notify } from '../../../ui/notifications/notify.ts';
import classes from '../admin.module.css';
import { linkOfInvite } from '../invites/invite-link.ts';
import { ActDialog } from '../pieces/act-dialog.tsx';
import { useFormAct } from '../pieces/use-act.ts';

const MIN_LETTERS = 8;
const MAX_LETTERS = 64;

/** The invite code for the next registration. */
export function InviteCodeCard({ code }: { code: string | null }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'change' | 'rotate'>();
  const close = () => setOpen(undefined);
  return (
    <Paper withBorder p="md" component="section" aria-label={t('admin.invite.title')}>
      <Title order={2} size="h5">
        {t('admin.invite.title')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('admin.invite.hint')}
      </Text>
      <Text className={classes.code} my="sm">
        {code ?? t('admin.invite.none')}
      </Text>
      <Group gap="xs">
        {code !== null && <CopyButton text={code} label={t('admin.invite.copy')} />}
        {code !== null && <CopyButton text={linkOfInvite(code)} label={t('admin.invite.copyLink')} />}
        <Button variant="default" onClick={() => setOpen('change')}>
          {t('admin.invite.change')}
        </Button>
        <Button variant="default" onClick={() => setOpen('rotate')}>
          {t('admin.invite.rotate')}
        </Button>
      </Group>
      {open === 'change' && <ChangeDialog code={code ?? ''} onClose={close} />}
      {open === 'rotate' && (
        <ActDialog
          title={t('admin.invite.rotateTitle')}
          text={t('admin.invite.rotateText')}
          action={t('admin.invite.rotate')}
          act={() => ask('POST /api/admin/settings/registration/invite-code/rotate')}
          done={t('admin.invite.changed')}
          onClose={close}
        />
      )}
    </Paper>
  );
}

function ChangeDialog({ code, onClose }: { code: string; onClose: () => void }) {
  const { t } = useTranslation();
  const [inviteCode, setInviteCode] = useState(code);
  const change = useFormAct(
    () => ask('PATCH /api/admin/settings/registration/invite-code', { body: { inviteCode } }),
    () => {
      onClose();
      notify(t('admin.invite.changed'));
    },
  );
  return (
    <FormDialog
      title={t('admin.invite.changeTitle')}
      action={t('admin.save')}
      isPending={change.isPending}
      error={change.error}
      isReady={inviteCode.trim().length >= MIN_LETTERS}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <TextInput
        label={t('admin.invite.code')}
        description={t('admin.invite.codeHint')}
        value={inviteCode}
        required
        maxLength={MAX_LETTERS}
        autoComplete="off"
        data-autofocus
        onChange={(event) => setInviteCode(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
