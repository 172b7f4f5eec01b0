import { NavLink } from '@mantine/core';
import {
  IconArrowsExchange,
  IconClock,
  IconFolder,
  IconListCheck,
  IconPhoto,
  IconShare,
  IconStar,
  IconTrash,
} from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DriveId } from '../../api/in-drive.ts';
import { type Place, placeKeyOf } from '../place-of.ts';
import classes from './navigation.module.css';

export interface NavigationLink {
  readonly place: Place;
  readonly link: Pick<LinkProps, 'to' | 'params'>;
  /** Whether every drive has the page. */
  readonly isInDrive?: boolean;
  readonly Icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
}

/** The pages of the personal drive, and of the user. */
export const MAIN_LINKS: readonly NavigationLink[] = [
  { place: 'drive', link: { to: '/drive/$', params: { _splat: '' } }, Icon: IconFolder, isInDrive: true },
  { place: 'recent', link: { to: '/recent' }, Icon: IconClock, isInDrive: true },
  { place: 'photos', link: { to: '/photos' }, Icon: IconPhoto, isInDrive: true },
  { place: 'starred', link: { to: '/starred' }, Icon: IconStar, isInDrive: true },
  { place: 'shared', link: { to: '/shared' }, Icon: IconShare, isInDrive: true },
  {
    place: 'transfer',
    link: { to: '/transfer/{-$code}', params: { code: undefined } },
    Icon: IconArrowsExchange,
  },
  { place: 'tasks', link: { to: '/tasks' }, Icon: IconListCheck, isInDrive: true },
  { place: 'bin', link: { to: '/bin' }, Icon: IconTrash, isInDrive: true },
];

/** The pages of a shared drive, below its name. */
export const DRIVE_LINKS = MAIN_LINKS.filter(
  ({ place, isInDrive }) => isInDrive === true && place !== 'drive',
);

export const [FILES] = MAIN_LINKS as readonly [NavigationLink, ...NavigationLink[]];

interface PlaceLinkProps extends NavigationLink {
  readonly drive: DriveId;
  readonly label?: string | null;
  readonly mark?: ReactNode;
  readonly onChosen: () => void;
}

/** A link of the navigation. */
export function PlaceLink({ place, link, Icon, isInDrive, drive, label, mark, onChosen }: PlaceLinkProps) {
  const { t } = useTranslation();
  // `undefined` leads to the personal drive. Without `drive`, the link would stay in the shown one.
  const search = isInDrive === true ? { search: { drive } } : {};
  return (
    <NavLink
      className={classes.link}
      renderRoot={(props) => (
        <Link
          {...link}
          {...search}
          {...props}
          // Otherwise the links of the personal drive would also count as active in a shared one.
          activeOptions={{ explicitUndefined: true }}
          activeProps={{ 'data-active': true }}
        />
      )}
      onClick={onChosen}
      label={label ?? t(placeKeyOf(place, drive))}
      leftSection={<Icon size={20} aria-hidden />}
      rightSection={mark}
    />
  );
}
