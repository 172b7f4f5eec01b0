import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { messageOf } from '../../../common/message-of.ts';
import { formatSpan } from '../../../messages/from-now.ts';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { SavedForm } from '../../../ui/fields/saved-form.tsx';

interface PasswordFormProps {
  /** Why the password is asked for during a visit. */
  readonly reason?: string | undefined;
  readonly onEnter: (password: string) => Promise<unknown>;
}

/** Asks for the password of a share. */
export function PasswordForm({ reason, onEnter }: PasswordFormProps) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const verification = useMutation({ mutationFn: onEnter, onError: () => field.current?.select() });
  const submit = () => {
    if (password !== '' && !verification.isPending) verification.mutate(password);
  };
  return (
    <SavedForm isSaving={verification.isPending} onSubmit={submit} noValidate>
      <Stack>
        {reason !== undefined && <Alert color="yellow">{reason}</Alert>}
        <Text ta="center" size="sm">
          {t('shares.passwordNeeded')}
        </Text>
        <PasswordField
          ref={field}
          label={t('shares.password')}
          autoComplete="off"
          size="md"
          maxLength={128}
          autoFocus
          value={password}
          error={verification.error !== null && <span role="alert">{textOf(verification.error)}</span>}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" size="md" loading={verification.isPending} disabled={password === ''}>
          {t('shares.open')}
        </Button>
      </Stack>
    </SavedForm>
  );

  function textOf(error: Error): string {
    if (!(error instanceof HoldallError)) return messageOf(error);
    if (error.status === 403) return t('shares.passwordWrong');
    if (error.status !== 429) return messageOf(error);
    return t('shares.passwordTooOften', { when: formatSpan(error.retryAfterSeconds ?? 60) });
  }
}
