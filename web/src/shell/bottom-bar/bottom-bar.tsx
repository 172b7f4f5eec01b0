import { UnstyledButton } from '@mantine/core';
import { IconMenu2, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import { labelled } from '../../ui/labelled.ts';
import { MenuLater } from '../../ui/menus/menu-later.tsx';
import { FILES, type NavigationLink, PHOTOS, TRANSFER, toPlace } from '../navigation/place-link.tsx';
import classes from './bottom-bar.module.css';

const AddMenuList = lazyPart(async () => (await import('./add-menu-list.tsx')).AddMenuList);

interface BottomBarProps {
  readonly isMoreOpen: boolean;
  readonly onMore: () => void;
}

/** The main pages at the lower edge of an upright phone, and what can be added. */
export function BottomBar({ isMoreOpen, onMore }: BottomBarProps) {
  const { t } = useTranslation();
  useLayoutEffect(() => {
    // The page, the tray of uploads and the notifications leave room for the bar.
    document.documentElement.toggleAttribute('data-bottom-bar', true);
    return () => void document.documentElement.toggleAttribute('data-bottom-bar', false);
  }, []);
  return (
    <nav aria-label={t('nav.main')} className={classes.bar}>
      <BarLink to={FILES} label={t('nav.files')} />
      <BarLink to={PHOTOS} label={t('nav.photos')} />
      <div className={classes.item}>
        <MenuLater
          target={
            <UnstyledButton className={classes.add} {...labelled(t('nav.add'))}>
              <IconPlus size={26} aria-hidden />
            </UnstyledButton>
          }
        >
          {(target) => <AddMenuList target={target} />}
        </MenuLater>
      </div>
      <BarLink to={TRANSFER} label={t('nav.transferShort')} />
      <UnstyledButton
        className={classes.item}
        aria-haspopup="dialog"
        aria-expanded={isMoreOpen}
        onClick={onMore}
      >
        <IconMenu2 size={24} aria-hidden />
        <span className={classes.label}>{t('nav.more')}</span>
      </UnstyledButton>
    </nav>
  );
}

function BarLink({ to, label }: { readonly to: NavigationLink; readonly label: string }) {
  const { Icon } = to;
  return (
    <Link {...toPlace(to, undefined)} className={classes.item}>
      <Icon size={24} aria-hidden />
      <span className={classes.label}>{label}</span>
    </Link>
  );
}
