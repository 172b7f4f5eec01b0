import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { replaceSession } from '../../../api/session.ts';
import { useUser } from '../../../api/use-session.ts';
import { type Fault, findNewPasswordFaults, withoutNone } from '../../../features/account/account-faults.ts';
import { useFormFields } from '../../../features/account/form-fields.ts';
import { textOfPasswordError } from '../../../features/account/password-error.ts';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { SavedForm } from '../../../ui/fields/saved-form.tsx';
import { notify } from '../../../ui/notifications/notify.ts';
import { UnsavedQuestion } from '../unsaved-question.tsx';
import { RemainingLoginMethods } from './remaining-login-methods.tsx';

const NOTHING = { currentPassword: '', newPassword: '', again: '' };
type Field = keyof typeof NOTHING;

interface PasswordSectionProps {
  /** Whether the account has no password yet. */
  readonly isFirst: boolean;
}

/**
 * Changes the password. This ends all other sessions and, if the user wants, the app passwords. The current
 * session continues.
 */
export function PasswordSection({ isFirst }: PasswordSectionProps) {
  const { t } = useTranslation();
  const { username } = useUser();
  const [typed, setTyped] = useState(NOTHING);
  const [endAppPasswords, setEndAppPasswords] = useState(false);
  const [isTried, setTried] = useState(false);
  const queries = useQueryClient();
  const passwords = findNewPasswordFaults(typed.newPassword, typed.again, username);
  const faults: Partial<Record<Field, Fault>> = withoutNone({
    currentPassword: !isFirst && typed.currentPassword === '' ? 'faultMissing' : undefined,
    newPassword: passwords.password,
    again: passwords.confirmPassword,
  });
  const change = useMutation({
    mutationFn: () => {
      const { currentPassword, newPassword } = typed;
      const body = { newPassword, endAppPasswords, ...(isFirst ? {} : { currentPassword }) };
      return replaceSession(() => ask('POST /api/user/password', { body }));
    },
    onSuccess: () => {
      setTyped(NOTHING);
      setEndAppPasswords(false);
      setTried(false);
      notify(t(isFirst ? 'profile.passwordSet' : 'profile.passwordChanged'));
      void queries.invalidateQueries({ queryKey: KEYS.security() });
      void queries.invalidateQueries({ queryKey: KEYS.logins() });
      void queries.invalidateQueries({ queryKey: KEYS.appPasswords() });
      void queries.invalidateQueries({ queryKey: KEYS.generatedPassword() });
    },
  });
  const submit = () => {
    setTried(true);
    if (Object.keys(faults).length === 0) change.mutate();
  };
  const fields = useFormFields({
    ...{ values: typed, setValues: setTyped, faults, isFaultShown: () => isTried, request: change },
    textOfError: (error) => textOfPasswordError(error, isFirst),
  });
  const field = (name: Field) => ({ label: t(`profile.${name}`), ...fields.field(name) });
  return (
    <SavedForm isSaving={change.isPending} onSubmit={submit} noValidate>
      <UnsavedQuestion isChanged={Object.values(typed).some((text) => text !== '')} />
      <Stack maw={400}>
        {/* Tells password managers whose password it is. */}
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <Text size="sm" c="dimmed">
          {t(isFirst ? 'profile.noPassword' : 'profile.passwordHint')}
        </Text>
        {change.isSuccess && <RemainingLoginMethods />}
        {change.error !== null && fields.refused === undefined && (
          <Alert color="red" role="alert">
            {textOfPasswordError(change.error, isFirst)}
          </Alert>
        )}
        {!isFirst && (
          <PasswordField size="md" autoComplete="current-password" {...field('currentPassword')} />
        )}
        <PasswordField
          size="md"
          autoComplete="new-password"
          description={t('auth.passwordHint')}
          {...field('newPassword')}
        />
        <PasswordField size="md" autoComplete="new-password" {...field('again')} />
        <Checkbox
          size="md"
          label={t('profile.endAppPasswords')}
          description={t('profile.endAppPasswordsHint')}
          checked={endAppPasswords}
          onChange={({ currentTarget: { checked } }) => setEndAppPasswords(checked)}
        />
        <Group justify="flex-end">
          <Button type="submit" mih="var(--tap-size)" loading={change.isPending}>
            {t(isFirst ? 'profile.setPassword' : 'profile.changePassword')}
          </Button>
        </Group>
      </Stack>
    </SavedForm>
  );
}
