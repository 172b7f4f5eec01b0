import { Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { updateSecondFactorNeed } from '../../../api/session.ts';
import { PasskeyForm } from '../../../features/account/second-factors/passkey-form.tsx';
import { useSecurity } from '../../../features/account/use-security.ts';
import { notify } from '../../../ui/notifications/notify.ts';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import { Hint, SectionPart } from '../section-part.tsx';
import { ChangesPart } from './changes-part.tsx';
import { IdentitiesPart } from './identities-part.tsx';
import { PasskeyList } from './passkey-list.tsx';
import { TotpPart } from './totp-part.tsx';

/** The authenticator app, the passkeys and the identities of the account. */
export function SecuritySection() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data, error, refetch } = useSecurity();
  const isMissing = data?.secondFactorRequired === true && !data.hasSecondFactor;
  useEffect(() => {
    if (!isMissing) return;
    // The user has removed the last required factor, so the service rejects everything else.
    updateSecondFactorNeed(true);
    void navigate({ to: '/second-factor', search: { next: '/profile' } });
  }, [isMissing, navigate]);
  return (
    <Stack gap="lg">
      <Hint>{t('security.hint')}</Hint>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <SectionPart title={t('security.app')}>
        {data !== undefined && <TotpPart security={data} />}
      </SectionPart>
      <SectionPart title={t('security.passkeys')}>
        <Hint>{t('security.passkeysHint')}</Hint>
        <PasskeyList />
        <PasskeyForm onAdded={() => notify(t('security.passkeyAdded'))} />
      </SectionPart>
      {data !== undefined && <IdentitiesPart identities={data.identities} />}
      <ChangesPart />
    </Stack>
  );
}
