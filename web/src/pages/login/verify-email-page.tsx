import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { HoldallError } from '../../../../client/src/errors/errors.ts';
import { ask } from '../../api/ask.ts';
import { hasSession, updateUser } from '../../api/session.ts';
import { useInstance } from '../../api/use-instance.ts';
import { useLinkToken } from '../../features/account/use-link-token.ts';
import { BackLink } from './back-link.tsx';
import { FrontFrame, FrontPage } from './front-page.tsx';
import { LinkFault } from './link-fault.tsx';

/** Verifies an e-mail address with the token of a mailed link. */
export function VerifyEmailPage() {
  const { t } = useTranslation();
  const token = useLinkToken();
  // Another link starts from the beginning.
  if (token !== undefined) return <Confirmation key={token} token={token} />;
  return (
    <FrontFrame title={t('mail.verifyTitle')} foot={<BackLink />}>
      <LinkFault text={t('mail.verifyIncomplete')} to="/profile/{-$part}" action={t('mail.toProfile')} />
    </FrontFrame>
  );
}

/** Opening the link spends nothing, because mail scanners open links as well. */
function Confirmation({ token }: { readonly token: string }) {
  const { t } = useTranslation();
  const { name: instance } = useInstance();
  const confirm = useMutation({
    mutationFn: () => ask('POST /api/auth/email-verification/confirm', { body: { token } }),
    onSuccess: async () => {
      // The notice about the address disappears in all tabs of this browser.
      if (hasSession()) await ask('GET /api/user/profile').then(updateUser, () => undefined);
    },
  });
  const { error } = confirm;
  if (confirm.isSuccess) {
    return (
      <FrontFrame title={t('mail.verifyTitle')} foot={null}>
        <Stack ref={focusLink}>
          <Alert color="green" role="status">
            {t('mail.verified')}
          </Alert>
          <Button size="md" renderRoot={(props) => <Link {...props} to="/" />}>
            {t('mail.continue', { instance })}
          </Button>
        </Stack>
      </FrontFrame>
    );
  }
  if (error instanceof HoldallError && error.status === 400) {
    return (
      <FrontFrame title={t('mail.verifyTitle')} foot={<BackLink />}>
        <div ref={focusLink}>
          <LinkFault text={t('mail.verifySpent')} to="/profile/{-$part}" action={t('mail.toProfile')} />
        </div>
      </FrontFrame>
    );
  }
  return (
    <FrontPage
      title={t('mail.verifyTitle')}
      action={t('mail.verify')}
      error={error}
      failedAt={error === null ? 0 : confirm.submittedAt}
      isPending={confirm.isPending}
      onSubmit={() => confirm.mutate()}
      foot={<BackLink />}
    >
      <Text>{t('mail.verifyText')}</Text>
    </FrontPage>
  );
}

/** Moves the focus to the link that replaces the pressed button. */
function focusLink(answer: HTMLElement | null): void {
  answer?.querySelector('a')?.focus();
}
