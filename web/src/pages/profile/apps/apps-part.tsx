import { Button, Group, Stack } from '@mantine/core';
import { IconDeviceLaptop, IconDeviceMobile } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Hint, Section } from '../section.tsx';
import { useSectionInView } from '../use-section-in-view.ts';
import { AppPasswordsSection } from './app-passwords-section.tsx';

const CONNECT_LINKS = [
  { name: 'desktop', Icon: IconDeviceLaptop },
  { name: 'phones', Icon: IconDeviceMobile },
] as const;

/** How other apps use the drive, and their passwords. */
export function AppsPart() {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  useSectionInView(list);
  return (
    <Stack gap={40} ref={list}>
      <Section title={t('profile.webdav')}>
        <Hint>{t('profile.webdavHint')}</Hint>
        <Group gap="sm">
          {CONNECT_LINKS.map(({ name, Icon }) => (
            <Button
              key={name}
              renderRoot={(props) => <Link to="/connect" hash={name} {...props} />}
              variant="default"
              mih="var(--tap-size)"
              leftSection={<Icon size={18} aria-hidden />}
            >
              {t(`profile.connect.${name}`)}
            </Button>
          ))}
        </Group>
      </Section>
      <Section title={t('profile.appPasswords')} id="app-passwords">
        <AppPasswordsSection />
      </Section>
    </Stack>
  );
}
