import { NativeSelect, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '../../../../client/src/client.ts';
import { ask, queryOf } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { updateUser } from '../../api/session.ts';
import { useUser } from '../../api/use-session.ts';
import { useSecurity } from '../../features/account/use-security.ts';
import { formatBytes } from '../../messages/formats.ts';
import { chooseLanguage, currentLanguage, LANGUAGES, type Language, messages } from '../../messages/i18n.ts';
import { EntryMeter } from '../../ui/entry-meter.tsx';
import { meterColorOf } from '../../ui/meter-color.ts';
import { notify, notifyError } from '../../ui/notifications/notify.ts';
import { Page } from '../../ui/page/page.tsx';
import { AppPasswordsSection } from './app-passwords/app-passwords-section.tsx';
import { DetailsSection } from './details-section.tsx';
import { LoginsSection } from './logins-section.tsx';
import { NotificationsSection } from './notifications/notifications-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { PictureSection } from './picture-section.tsx';
import { SecuritySection } from './security/security-section.tsx';

/** The user's profile. */
export function ProfilePage() {
  const { t } = useTranslation();
  const user = useUser();
  const { data } = useQuery(queryOf(KEYS.profile(), 'GET /api/user/profile'));
  const { data: security } = useSecurity();
  // The profile may have been changed on another device since the login.
  useEffect(() => {
    if (data !== undefined) updateUser(data);
  }, [data]);
  const list = useRef<HTMLDivElement>(null);
  useSectionInView(list);
  return (
    <Page ref={list} title={t('nav.profile')} width="form">
      <Section title={t('profile.you')}>
        <PictureSection />
        <DetailsSection user={user} />
      </Section>
      <Section title={t('profile.look')}>
        <LanguageSection />
      </Section>
      <Section title={t('notifications.title')} id="notifications">
        <NotificationsSection />
      </Section>
      <Section title={t('profile.storage')}>
        <StorageSection user={user} />
      </Section>
      <Section title={t('auth.password')} id="password">
        {security !== undefined && <PasswordSection isFirst={!security.hasPassword} />}
      </Section>
      <Section title={t('security.title')} id="security">
        <SecuritySection />
      </Section>
      <Section title={t('profile.logins')}>
        <LoginsSection />
      </Section>
      <Section title={t('profile.appPasswords')} id="app-passwords">
        <AppPasswordsSection />
      </Section>
    </Page>
  );
}

/** User actions after which the page must no longer scroll to the section of the address. */
const USER_ACTIONS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Keeps the section that the address names in view while the sections above it load and grow. */
function useSectionInView(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const section = document.getElementById(window.location.hash.slice(1));
    if (section === null || list.current === null) return;
    const observer = new ResizeObserver(() => section.scrollIntoView());
    observer.observe(list.current);
    const end = () => observer.disconnect();
    for (const move of USER_ACTIONS) window.addEventListener(move, end, { once: true, passive: true });
    return () => {
      end();
      for (const move of USER_ACTIONS) window.removeEventListener(move, end);
    };
  }, [list]);
}

/** @param parts.id for links to the section */
function Section({ title, id, children }: { title: string; id?: string; children: ReactNode }) {
  return (
    <Paper
      withBorder
      p={{ base: 'md', sm: 'lg' }}
      component="section"
      id={id}
      // Below the header.
      style={{ scrollMarginTop: 'calc(var(--app-shell-header-height) + 1rem)' }}
    >
      <Title order={2} size="h5" mb="md">
        {title}
      </Title>
      <Stack gap="lg">{children}</Stack>
    </Paper>
  );
}

/** The used storage, the upload limit, and the number of entries if it is near its limit. */
function StorageSection({ user }: { user: User }) {
  const { t } = useTranslation();
  const { storageUsedBytes: used, storageQuotaBytes: quota, maxUploadSizeBytes } = user;
  const percent = quota === 0 ? 100 : Math.min(100, Math.round((1_000 * used) / quota) / 10);
  const text = t('storage.used', { used: formatBytes(used), quota: formatBytes(quota) });
  return (
    <Stack gap="xs">
      <Progress value={percent} size="lg" aria-label={text} color={meterColorOf(percent)} />
      <Text size="sm">{text}</Text>
      {user.keptBytes > 0 && (
        <Text size="sm" c="dimmed">
          {t('storage.kept', { used: formatBytes(user.keptBytes), limit: formatBytes(user.maxKeptBytes) })}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {t('profile.largestUpload', { size: formatBytes(maxUploadSizeBytes) })}
      </Text>
      <EntryMeter user={user} />
    </Stack>
  );
}

const OPTIONS = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));

/** The language of the page. A change applies immediately and is stored for all devices. */
function LanguageSection() {
  const { t } = useTranslation();
  const save = useMutation({
    mutationFn: (preferredLanguage: Language) =>
      ask('PUT /api/user/profile', { body: { preferredLanguage } }),
    onSuccess: (user) => {
      updateUser(user);
      notify(messages.t('profile.saved'));
    },
    onError: notifyError,
  });
  const choose = async (language: Language) => {
    await chooseLanguage(language);
    save.mutate(language);
  };
  return (
    <NativeSelect
      size="md"
      label={t('look.language')}
      description={t('profile.languageHint')}
      value={currentLanguage()}
      data={OPTIONS}
      maw={320}
      // The options have no other values.
      onChange={(event) => void choose(event.currentTarget.value as Language)}
    />
  );
}
