import { NavLink } from '@mantine/core';
import {
  IconArrowsExchange,
  IconClock,
  IconFolder,
  IconPhoto,
  IconShare,
  IconStar,
  IconTrash,
} from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ComponentType } from 'react';
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

export const FILES: NavigationLink = {
  place: 'drive',
  link: { to: '/drive/$', params: { _splat: '' } },
  Icon: IconFolder,
  isInDrive: true,
};
export const PHOTOS: NavigationLink = {
  place: 'photos',
  link: { to: '/photos' },
  Icon: IconPhoto,
  isInDrive: true,
};
/** Other views of the files of a drive. */
export const VIEW_LINKS: readonly NavigationLink[] = [
  PHOTOS,
  { place: 'recent', link: { to: '/recent' }, Icon: IconClock, isInDrive: true },
  { place: 'starred', link: { to: '/starred' }, Icon: IconStar, isInDrive: true },
];
export const TRANSFER: NavigationLink = {
  place: 'transfer',
  link: { to: '/transfer/{-$code}', params: { code: undefined } },
  Icon: IconArrowsExchange,
};
export const LINKS: NavigationLink = {
  place: 'shared',
  link: { to: '/shared' },
  Icon: IconShare,
  isInDrive: true,
};
export const BIN: NavigationLink = { place: 'bin', link: { to: '/bin' }, Icon: IconTrash, isInDrive: true };

/** The properties of a link to a page of a drive, or of the user. */
export function toPlace({ link, isInDrive }: NavigationLink, drive: DriveId) {
  return {
    ...link,
    // `undefined` leads to the personal drive. Without `drive`, the link would stay in the shown one.
    ...(isInDrive === true && { search: { drive } }),
    // Otherwise the links of the personal drive would also count as active in a shared one.
    activeOptions: { explicitUndefined: true },
  };
}

interface PlaceLinkProps {
  readonly to: NavigationLink;
  readonly drive?: DriveId;
  readonly label?: string | null;
  readonly onChosen: () => void;
}

/** A link of the navigation. */
export function PlaceLink({ to, drive, label, onChosen }: PlaceLinkProps) {
  const { t } = useTranslation();
  const { place, Icon } = to;
  return (
    <NavLink
      className={classes.link}
      renderRoot={(props) => (
        <Link {...toPlace(to, drive)} {...props} activeProps={{ 'data-active': true }} />
      )}
      onClick={onChosen}
      label={label ?? t(placeKeyOf(place))}
      leftSection={<Icon size={20} aria-hidden />}
    />
  );
}
