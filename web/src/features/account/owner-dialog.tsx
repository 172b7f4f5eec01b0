import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HoldallError } from '../../../../client/src/errors/errors.ts';
import { messageOf } from '../../common/message-of.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { SavedForm } from '../../ui/fields/saved-form.tsx';

interface OwnerDialogProps<T> {
  readonly title: string;
  readonly text: string;
  /** The label of the button. */
  readonly action: string;
  /** Whether to ask for the password. Without one, a recent login proves that the user is the owner. */
  readonly hasPassword: boolean;
  readonly perform: (body: { password?: string }) => Promise<T>;
  readonly onDone: (result: T) => void;
  readonly onClose: () => void;
}

/** Asks for the password before a change to how the user logs in. */
export function OwnerDialog<T>(parts: OwnerDialogProps<T>) {
  const { title, text, action, hasPassword, perform, onDone, onClose } = parts;
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const act = useMutation({
    mutationFn: () => perform(hasPassword ? { password } : {}),
    onSuccess: onDone,
  });
  const status = act.error instanceof HoldallError ? act.error.status : undefined;
  const isWrong = status === 400;
  const submit = () => {
    if (!hasPassword || password !== '') act.mutate();
  };
  return (
    <Dialog onClose={onClose} title={title}>
      <SavedForm isSaving={act.isPending} onSubmit={submit} noValidate>
        <Stack>
          <Text>{text}</Text>
          {act.error !== null && !isWrong && (
            <Alert color="red" role="alert">
              {status === 403 ? t('security.recentLogin') : messageOf(act.error)}
            </Alert>
          )}
          {hasPassword && (
            <PasswordField
              size="md"
              label={t('security.password')}
              autoComplete="current-password"
              required
              data-autofocus
              value={password}
              error={isWrong && t('security.passwordWrong')}
              errorProps={{ role: 'alert' }}
              onChange={({ currentTarget: { value } }) => {
                setPassword(value);
                if (isWrong) act.reset();
              }}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" mih="var(--tap-size)" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" mih="var(--tap-size)" loading={act.isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </SavedForm>
    </Dialog>
  );
}
