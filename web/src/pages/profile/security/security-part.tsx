import { Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { updateSecondFactorNeed } from '../../../api/session.ts';
import { PasskeyForm } from '../../../features/account/second-factors/passkey-form.tsx';
import { useSecurity } from '../../../features/account/use-security.ts';
import { notify } from '../../../ui/notifications/notify.ts';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import { Hint, Section } from '../section.tsx';
import { useSectionInView } from '../use-section-in-view.ts';
import { ChangesSection } from './changes-section.tsx';
import { IdentitiesSection } from './identities-section.tsx';
import { PasskeyList } from './passkey-list.tsx';
import { PasswordSection } from './password-section.tsx';
import { TotpSection } from './totp-section.tsx';

/** How the user logs in, and what has changed about it. */
export function SecurityPart() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data, error, refetch } = useSecurity();
  const isMissing = data?.secondFactorRequired === true && !data.hasSecondFactor;
  const list = useRef<HTMLDivElement>(null);
  useSectionInView(list);
  useEffect(() => {
    if (!isMissing) return;
    // The user has removed the last required factor, so the service rejects everything else.
    updateSecondFactorNeed(true);
    void navigate({ to: '/second-factor', search: { next: '/profile/security' } });
  }, [isMissing, navigate]);
  return (
    <Stack gap={40} ref={list}>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <Section title={t('auth.password')} id="password">
        {data !== undefined && <PasswordSection isFirst={!data.hasPassword} />}
      </Section>
      <TotpSection security={data} />
      <Section title={t('security.passkeys')}>
        <Hint>{t('security.passkeysHint')}</Hint>
        <PasskeyList />
        <PasskeyForm onAdded={() => notify(t('security.passkeyAdded'))} />
      </Section>
      {data !== undefined && <IdentitiesSection identities={data.identities} />}
      <ChangesSection />
    </Stack>
  );
}
