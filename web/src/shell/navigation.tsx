import { AppShell, NavLink } from '@mantine/core';
import {
  IconArrowsExchange,
  IconClock,
  IconFolder,
  IconListCheck,
  IconSettings,
  IconShare,
  IconTrash,
} from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '../api/use-session.ts';
import { StorageMeter } from './storage-meter.tsx';

type Place = 'drive' | 'recent' | 'shared' | 'transfer' | 'tasks' | 'bin' | 'admin';

interface Way {
  readonly place: Place;
  readonly link: Pick<LinkProps, 'to' | 'params'>;
  readonly Icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
}

const WAYS: readonly Way[] = [
  { place: 'drive', link: { to: '/drive/$', params: { _splat: '' } }, Icon: IconFolder },
  { place: 'recent', link: { to: '/recent' }, Icon: IconClock },
  { place: 'shared', link: { to: '/shared' }, Icon: IconShare },
  { place: 'transfer', link: { to: '/transfer/{-$code}', params: {} }, Icon: IconArrowsExchange },
  { place: 'tasks', link: { to: '/tasks' }, Icon: IconListCheck },
  { place: 'bin', link: { to: '/bin' }, Icon: IconTrash },
];

const ADMINISTRATION: Way = {
  place: 'admin',
  link: { to: '/admin/{-$part}', params: {} },
  Icon: IconSettings,
};

/** Where one can go. */
export function Navigation({ onChosen }: { onChosen: () => void }) {
  const { t } = useTranslation();
  const { role } = useUser();
  const ways = role === 'USER' ? WAYS : [...WAYS, ADMINISTRATION];
  return (
    <>
      <AppShell.Section grow component="nav" aria-label={t('nav.places')}>
        {ways.map(({ place, link, Icon }) => (
          <NavLink
            key={place}
            renderRoot={(props) => <Link {...link} {...props} />}
            onClick={onChosen}
            label={t(`nav.${place}`)}
            leftSection={<Icon size={18} aria-hidden />}
          />
        ))}
      </AppShell.Section>
      <AppShell.Section>
        <StorageMeter />
      </AppShell.Section>
    </>
  );
}
