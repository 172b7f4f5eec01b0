import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../../../api/ask.ts';
import { useUser } from '../../../../api/use-session.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { notify } from '../../../../ui/notifications/notify.ts';
import { ROLES } from '../../pieces/choices.ts';
import { useFormAct } from '../../pieces/use-act.ts';
import type { UserDialogProps } from '../user-dialog-props.ts';
import { mayGrant } from '../user-rules.ts';

export function RoleDialog({ user, onClose }: UserDialogProps) {
  const { t } = useTranslation();
  const actor = useUser();
  const [role, setRole] = useState(user.role);
  const change = useFormAct(
    () => ask('PATCH /api/admin/users/{userId}/role', { path: { userId: user.id }, body: { role } }),
    () => {
      onClose();
      notify(t('admin.users.roleChanged', { name: user.username, role: t(`admin.roles.${role}`) }));
    },
  );
  return (
    <FormDialog
      title={t('admin.users.roleTitle', { name: user.username })}
      action={t('admin.save')}
      isPending={change.isPending}
      error={change.error}
      isReady={role !== user.role}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <Radio.Group
        label={t('admin.users.role')}
        value={role}
        onChange={(value) => setRole(ROLES.find((known) => known === value) ?? role)}
      >
        <Stack mt="xs">
          {ROLES.filter((known) => mayGrant(actor, known)).map((known) => (
            <Radio
              key={known}
              value={known}
              label={t(`admin.roles.${known}`)}
              description={t(`admin.roleHints.${known}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}
