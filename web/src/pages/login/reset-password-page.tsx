import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HoldallError } from '../../../../client/src/errors/errors.ts';
import { ask } from '../../api/ask.ts';
import { endSession, hasSession } from '../../api/session.ts';
import { type Fault, findNewPasswordFaults, withoutNone } from '../../features/account/account-faults.ts';
import { useFormFields } from '../../features/account/form-fields.ts';
import { useLinkToken } from '../../features/account/use-link-token.ts';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { notify } from '../../ui/notifications/notify.ts';
import { BackLink } from './back-link.tsx';
import { FrontFrame, FrontPage } from './front-page.tsx';
import { LinkFault } from './link-fault.tsx';

/** Sets a new password with the token of a mailed link. */
export function ResetPasswordPage() {
  const { t } = useTranslation();
  const token = useLinkToken();
  if (token === undefined) {
    return (
      <FrontFrame title={t('mail.resetTitle')} foot={<BackLink />}>
        <LinkFault text={t('mail.resetIncomplete')} to="/forgot-password" action={t('mail.requestLink')} />
      </FrontFrame>
    );
  }
  // Another link starts with an empty form.
  return <ResetForm key={token} token={token} />;
}

const NOTHING = { newPassword: '', again: '' };
type Field = keyof typeof NOTHING;

function ResetForm({ token }: { readonly token: string }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(NOTHING);
  const [isTried, setTried] = useState(false);
  // The page does not know the username. The service compares the password with it.
  const passwords = findNewPasswordFaults(typed.newPassword, typed.again, '');
  const faults: Partial<Record<Field, Fault>> = withoutNone({
    newPassword: passwords.password,
    again: passwords.confirmPassword,
  });
  const leave = useLeave();
  const reset = useMutation({
    mutationFn: () =>
      ask('POST /api/auth/password-reset/confirm', { body: { token, newPassword: typed.newPassword } }),
    onSuccess: leave,
  });
  const { field, refused } = useFormFields({
    ...{ values: typed, setValues: setTyped, faults, isFaultShown: () => isTried, request: reset },
    textOfError: () => t('mail.passwordRefused'),
  });
  const isSpent = refused === undefined && reset.error instanceof HoldallError && reset.error.status === 400;
  return (
    <FrontPage
      title={t('mail.resetTitle')}
      action={t('mail.savePassword')}
      error={refused === undefined && !isSpent ? reset.error : null}
      failedAt={reset.error === null ? 0 : reset.submittedAt}
      isPending={reset.isPending}
      onSubmit={() => {
        setTried(true);
        if (Object.keys(faults).length === 0) reset.mutate();
      }}
      foot={<BackLink />}
    >
      {isSpent && (
        <LinkFault
          text={t('mail.resetSpent')}
          to="/forgot-password"
          action={t('mail.requestLink')}
          hasLogin
        />
      )}
      <Text size="sm" c="dimmed">
        {t('mail.resetHint')}
      </Text>
      <PasswordField
        size="md"
        required
        autoFocus
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

/** Returns a function that opens the login, which says that the password was changed. */
function useLeave(): () => Promise<void> {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return async () => {
    // Ends the session of this browser if the service has ended it with the old password.
    if (hasSession()) await ask('GET /api/user/profile').catch(() => undefined);
    // Someone else is logged in here.
    if (hasSession()) notify(t('mail.passwordSaved'));
    else endSession('password-changed');
    await navigate({ to: '/login', search: {}, replace: true });
  };
}
