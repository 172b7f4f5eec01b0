import { Alert, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../api/ask.ts';
import { messageOf } from '../../common/message-of.ts';
import { type Fault, findEmailFault, missingOr, withoutNone } from '../../features/account/account-faults.ts';
import { useFormFields } from '../../features/account/form-fields.ts';
import { useAuthMethods } from '../../features/account/use-security.ts';
import { BackLink } from './back-link.tsx';
import { FrontFrame, FrontPage } from './front-page.tsx';

/** Requests a link for a new password. The answer does not tell whether there is such an account. */
export function ForgotPasswordPage() {
  const { t } = useTranslation();
  const { data: methods } = useAuthMethods();
  const [typed, setTyped] = useState({ email: '' });
  const [isTried, setTried] = useState(false);
  const faults: { email?: Fault } = withoutNone({
    email: missingOr(typed.email, findEmailFault(typed.email)),
  });
  const request = useMutation({
    mutationFn: () => ask('POST /api/auth/password-reset', { body: { email: typed.email.trim() } }),
  });
  const { field, refused } = useFormFields({
    values: typed,
    setValues: (change) => {
      // The answer was about another address.
      if (request.isSuccess) request.reset();
      setTyped(change);
    },
    ...{ faults, isFaultShown: () => isTried, request, textOfError: messageOf },
  });
  if (methods?.passwordReset === false) {
    return (
      <FrontFrame title={t('mail.forgotTitle')} foot={<BackLink />}>
        <Alert color="yellow">{t('mail.resetOff')}</Alert>
      </FrontFrame>
    );
  }
  return (
    <FrontPage
      title={t('mail.forgotTitle')}
      action={t(request.isSuccess ? 'mail.sendAgain' : 'mail.sendLink')}
      notice={request.isSuccess ? t('mail.linkSent') : undefined}
      error={refused === undefined ? request.error : null}
      failedAt={request.error === null ? 0 : request.submittedAt}
      isPending={request.isPending}
      onSubmit={() => {
        setTried(true);
        if (faults.email === undefined) request.mutate();
      }}
      foot={<BackLink />}
    >
      <Text size="sm" c="dimmed">
        {t('mail.forgotHint')}
      </Text>
      <TextInput
        size="md"
        label={t('auth.email')}
        type="email"
        autoComplete="email"
        required
        autoFocus
        {...field('email')}
      />
    </FrontPage>
  );
}
