import { Anchor, Button, Divider, Stack, Text, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../api/ask.ts';
import { endSession, updateSecondFactorNeed } from '../../api/session.ts';
import { LinkIdentityButton } from '../../features/account/link-identity.tsx';
import { PasskeyForm } from '../../features/account/passkey-form.tsx';
import { RecoveryCodeList } from '../../features/account/recovery-code-list.tsx';
import { TotpSetup } from '../../features/account/totp-setup.tsx';
import { hasSecondFactor, useAuthMethods, useSecurity } from '../../features/account/use-security.ts';
import { FrontFrame } from './front-page.tsx';

/** Sets up the second factor that the service requires. Nothing else works before. */
export function SecondFactorPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { next } = useSearch({ from: '/second-factor' });
  const [isAppChosen, setAppChosen] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const goOn = () => {
    updateSecondFactorNeed(false);
    return navigate({ href: next ?? '/', replace: true });
  };
  const { data: security } = useSecurity();
  const { data: methods } = useAuthMethods();
  const provider = methods?.singleSignOn?.name;
  // Somebody has come back from the provider with a linked identity, or has done it on another device.
  const isDone = codes === undefined && security !== undefined && hasSecondFactor(security) && !isAppChosen;
  useEffect(() => {
    if (!isDone) return;
    updateSecondFactorNeed(false);
    void navigate({ href: next ?? '/', replace: true });
  }, [isDone, navigate, next]);
  const logOut = async () => {
    await ask('POST', '/api/auth/logout').catch(() => undefined);
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
        <RecoveryCodeList codes={codes} onDone={() => void goOn()} />
      ) : (
        <Stack>
          <Text>{t('security.requiredText')}</Text>
          <Title order={2} size="h5">
            {t('security.app')}
          </Title>
          {isAppChosen ? (
            <TotpSetup onConfirmed={({ recoveryCodes }) => setCodes(recoveryCodes)} />
          ) : (
            <Button variant="default" mih={40} onClick={() => setAppChosen(true)}>
              {t('security.setUpApp')}
            </Button>
          )}
          <Divider label={t('security.or')} />
          <Title order={2} size="h5">
            {t('security.passkeys')}
          </Title>
          <PasskeyForm onAdded={() => void goOn()} />
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
