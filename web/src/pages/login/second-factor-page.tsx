import { Alert, Anchor, Button, Divider, Stack, Text, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TotpEnrolment } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import { endSession, updateSecondFactorNeed } from '../../api/session.ts';
import { LinkIdentityButton } from '../../features/account/link-identity.tsx';
import { PasskeyForm } from '../../features/account/second-factors/passkey-form.tsx';
import { RecoveryCodeList } from '../../features/account/second-factors/recovery-code-list.tsx';
import { TotpSetup } from '../../features/account/second-factors/totp-setup.tsx';
import { useTotpStart } from '../../features/account/second-factors/use-totp-start.ts';
import { useSignOnReturn } from '../../features/account/sign-on-return.ts';
import { useAuthMethods, useSecurity } from '../../features/account/use-security.ts';
import { notify } from '../../ui/notifications/notify.ts';
import { FrontFrame } from './front-page.tsx';

/** Sets up a second factor, which the service requires before anything else. */
export function SecondFactorPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { next } = useSearch({ from: '/second-factor' });
  const [enrolment, setEnrolment] = useState<TotpEnrolment>();
  const { start, dialog } = useTotpStart(setEnrolment);
  const [codes, setCodes] = useState<readonly string[]>();
  const { fault, isLinked } = useSignOnReturn();
  const leave = () => {
    updateSecondFactorNeed(false);
    return navigate({ href: next ?? '/', replace: true });
  };
  const { data: security } = useSecurity();
  const { data: methods } = useAuthMethods();
  const provider = methods?.singleSignOn?.name;
  // The user has linked an identity, or has set up a factor on another device.
  const isDone = codes === undefined && security?.hasSecondFactor === true && enrolment === undefined;
  useEffect(() => {
    if (!isDone) return;
    if (isLinked) notify(t('security.identityLinked'));
    updateSecondFactorNeed(false);
    void navigate({ href: next ?? '/', replace: true });
  }, [isDone, isLinked, navigate, next, t]);
  const logOut = async () => {
    await ask('POST /api/auth/logout').catch(() => undefined);
    endSession();
    await navigate({ to: '/login', search: {}, replace: true });
  };
  return (
    <FrontFrame
      title={codes === undefined ? t('security.requiredTitle') : t('security.codesTitle')}
      foot={
        codes === undefined && (
          <Anchor component="button" type="button" size="sm" underline="always" onClick={() => void logOut()}>
            {t('nav.logOut')}
          </Anchor>
        )
      }
    >
      {codes !== undefined ? (
        <RecoveryCodeList codes={codes} onDone={() => void leave()} />
      ) : (
        <Stack>
          <Text>{t('security.requiredText')}</Text>
          {fault !== undefined && (
            <Alert color="red" role="alert">
              {t(`signOn.${fault}`)}
            </Alert>
          )}
          {dialog}
          <Title order={2} size="h5">
            {t('security.app')}
          </Title>
          {enrolment !== undefined ? (
            <TotpSetup enrolment={enrolment} onConfirmed={({ recoveryCodes }) => setCodes(recoveryCodes)} />
          ) : (
            <Button
              variant="default"
              mih="var(--tap-size)"
              loading={start.isPending}
              onClick={() => start.mutate()}
            >
              {t('security.setUpApp')}
            </Button>
          )}
          <Divider label={t('security.or')} />
          <Title order={2} size="h5">
            {t('security.passkeys')}
          </Title>
          <PasskeyForm onAdded={() => void leave()} />
          {provider !== undefined && (
            <>
              <Divider label={t('security.or')} />
              <Title order={2} size="h5">
                {t('security.identities')}
              </Title>
              <LinkIdentityButton name={provider} />
            </>
          )}
        </Stack>
      )}
    </FrontFrame>
  );
}
