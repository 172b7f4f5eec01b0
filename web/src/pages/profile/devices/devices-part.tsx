import { Stack } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../section.tsx';
import { useSectionInView } from '../use-section-in-view.ts';
import { NotificationsSection } from './notifications/notifications-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** Where the user is logged in, and what the devices are notified about. */
export function DevicesPart() {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  useSectionInView(list);
  return (
    <Stack gap={40} ref={list}>
      <SessionsSection />
      <Section title={t('notifications.title')} id="notifications">
        <NotificationsSection />
      </Section>
    </Stack>
  );
}
