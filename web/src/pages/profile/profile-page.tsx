import { Paper, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../api/ask.ts';
import type { User } from '../../api/contract.ts';
import { KEYS } from '../../api/keys.ts';
import { updateUser } from '../../api/session.ts';
import { useUser } from '../../api/use-session.ts';
import { DetailsSection } from './details-section.tsx';
import { LanguageSection } from './language-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { PictureSection } from './picture-section.tsx';
import { StorageSection } from './storage-section.tsx';

/** Who one is here, and what one may change of it. */
export function ProfilePage() {
  const { t } = useTranslation();
  const user = useUser();
  const { data } = useQuery({
    queryKey: KEYS.profile(),
    queryFn: ({ signal }) => ask<User>('GET', '/api/user/profile', { signal }),
  });
  // It may have been changed on another device since the login.
  useEffect(() => {
    if (data !== undefined) updateUser(data);
  }, [data]);
  return (
    <Stack maw={720} gap="lg">
      <Title order={1} size="h3">
        {t('nav.profile')}
      </Title>
      <Section title={t('profile.you')}>
        <PictureSection />
        <DetailsSection user={user} />
      </Section>
      <Section title={t('profile.look')}>
        <LanguageSection />
      </Section>
      <Section title={t('profile.storage')}>
        <StorageSection user={user} />
      </Section>
      <Section title={t('auth.password')}>
        <PasswordSection />
      </Section>
    </Stack>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} component="section">
      <Title order={2} size="h5" mb="md">
        {title}
      </Title>
      <Stack gap="lg">{children}</Stack>
    </Paper>
  );
}
