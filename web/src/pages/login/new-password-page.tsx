import { Anchor } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../api/ask.ts';
import { endSession, replaceSession } from '../../api/session.ts';
import { useSession } from '../../api/use-session.ts';
import { type Fault, findNewPasswordFaults, withoutNone } from '../../features/account/account-faults.ts';
import { useFormFields } from '../../features/account/form-fields.ts';
import { textOfPasswordError } from '../../features/account/password-error.ts';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { FrontPage } from './front-page.tsx';
import { clearLoginPassword, findLoginPassword } from './login-password.ts';

const NOTHING = { currentPassword: '', newPassword: '', again: '' };
type Field = keyof typeof NOTHING;

/** Replaces a password that an administrator has set. The service requires this before anything else. */
export function NewPasswordPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { next } = useSearch({ from: '/new-password' });
  const { username = '', id } = useSession()?.user ?? {};
  const [known] = useState(() => findLoginPassword(id));
  const [typed, setTyped] = useState({ ...NOTHING, currentPassword: known ?? '' });
  const [isTried, setTried] = useState(false);
  const passwords = findNewPasswordFaults(typed.newPassword, typed.again, username);
  const faults: Partial<Record<Field, Fault>> = withoutNone({
    currentPassword: typed.currentPassword === '' ? 'faultMissing' : undefined,
    newPassword: passwords.password,
    again: passwords.confirmPassword,
  });
  const change = useMutation({
    mutationFn: () => {
      const { currentPassword, newPassword } = typed;
      const body = { currentPassword, newPassword };
      return replaceSession(() => ask('POST /api/user/password', { body }));
    },
    onSuccess: () => {
      clearLoginPassword();
      return navigate({ href: next ?? '/', replace: true });
    },
  });
  // An administrator may have set another password since, which makes the remembered one wrong.
  const [wasRefused, setRefused] = useState(false);
  const logOut = async () => {
    clearLoginPassword();
    await ask('POST /api/auth/logout').catch(() => undefined);
    endSession();
  };
  const { field, refused } = useFormFields({
    ...{ values: typed, setValues: setTyped, faults, isFaultShown: () => isTried, request: change },
    textOfError: (error) => textOfPasswordError(error, false),
  });
  if (refused === 'currentPassword' && !wasRefused) setRefused(true);
  return (
    <FrontPage
      title={t('auth.newPasswordTitle')}
      action={t('auth.saveAndContinue')}
      notice={t('auth.newPasswordNotice')}
      error={refused === undefined ? change.error : null}
      failedAt={change.error === null ? 0 : change.submittedAt}
      isPending={change.isPending}
      onSubmit={() => {
        setTried(true);
        if (Object.keys(faults).length === 0) change.mutate();
      }}
      foot={
        <Anchor component="button" type="button" size="sm" underline="always" onClick={() => void logOut()}>
          {t('nav.logOut')}
        </Anchor>
      }
    >
      {/* Tells password managers whose password it is. */}
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      {(known === undefined || wasRefused) && (
        <PasswordField
          size="md"
          required
          {...field('currentPassword')}
          label={t('auth.givenPassword')}
          autoComplete="current-password"
          autoFocus
        />
      )}
      <PasswordField
        size="md"
        required
        autoFocus={known !== undefined}
        {...field('newPassword')}
        label={t('profile.newPassword')}
        description={t('auth.passwordHint')}
        autoComplete="new-password"
      />
      <PasswordField
        size="md"
        required
        {...field('again')}
        label={t('profile.again')}
        autoComplete="new-password"
      />
    </FrontPage>
  );
}
