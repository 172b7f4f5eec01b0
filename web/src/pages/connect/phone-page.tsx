import { Alert, Image, Stack, Text, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { removeFragment } from '../../features/account/use-link-token.ts';
import styles from '../../ui/outside/outside.module.css';
import { OutsideCard } from '../../ui/outside/outside-card.tsx';
import { AccessValues } from './access-values.tsx';
import { Entered } from './entered.tsx';
import { type PhoneAccess, readPhoneAccess } from './phone-address.ts';
import { ProgramSteps } from './program-steps.tsx';
import { SYSTEMS, type System } from './systems.ts';
import { webdavAddress } from './webdav-address.ts';

/** What a phone shows that has scanned the QR code of the page for connecting apps. It needs no login. */
export function PhonePage() {
  const { t } = useTranslation();
  const access = usePhoneAccess();
  return (
    <div className={styles.canvas}>
      <main className={styles.middle}>
        <OutsideCard isWide>
          <Stack gap="lg">
            <Stack align="center" gap={4}>
              <Image src="/web/icon.svg" w={48} h={48} alt="" mb="xs" />
              <Title order={1} ta="center">
                {t('connect.phoneTitle')}
              </Title>
              {access !== undefined && (
                <Text c="dimmed" size="sm" ta="center">
                  {t('connect.phoneText', { username: access.username })}
                </Text>
              )}
            </Stack>
            {access === undefined ? (
              <Alert color="orange" role="alert">
                {t('connect.phoneIncomplete')}
              </Alert>
            ) : (
              <PhoneSteps access={access} />
            )}
          </Stack>
        </OutsideCard>
      </main>
    </div>
  );
}

function PhoneSteps({ access: { username, password } }: { readonly access: PhoneAccess }) {
  const { t } = useTranslation();
  const access = { address: webdavAddress(), username, password };
  const phone: System | undefined = SYSTEMS.find(({ name }) => name === 'phone');
  return (
    <>
      <AccessValues access={access} password={<Entered text={password} name={t('connect.password')} />} />
      {phone !== undefined && <ProgramSteps system={phone} access={access} order={2} />}
    </>
  );
}

/** Reads the fragment and removes it from the address, so the password does not stay in the history. */
function usePhoneAccess(): PhoneAccess | undefined {
  const hash = useLocation({ select: (location) => location.hash });
  const [access, setAccess] = useState(() => readPhoneAccess(hash));
  useEffect(() => {
    // The page stays the same when another code is scanned in its tab.
    const found = readPhoneAccess(hash);
    if (found === undefined) return;
    setAccess(found);
    removeFragment();
  }, [hash]);
  return access;
}
