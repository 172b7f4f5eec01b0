import { Menu } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { TILE_SIZES } from '../../features/entries/grid/entry-tiles.tsx';
import { OpenedMenu } from '../../ui/menus/opened-menu.tsx';
import { changeDisplaySettings, sortBy, useDisplaySettings } from './display-settings.ts';

const SORTS = [undefined, 'name', 'size', 'modifiedAt', 'createdAt'] as const;

/** The sort keys of the list, and the sizes of tiles while they are shown. */
export function SortMenuList({ target }: { readonly target: ReactElement<object> }) {
  const { t } = useTranslation();
  const { view, tileSize, sort, order } = useDisplaySettings();
  const Arrow = order === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    // Placed next to its button in the document order, for screen readers.
    <OpenedMenu
      target={target}
      position="bottom-end"
      width={220}
      closeOnItemClick={false}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      {SORTS.map((by) => (
        <Menu.RadioItem
          key={by ?? 'default'}
          value={by ?? 'default'}
          checked={sort === by}
          rightSection={sort === by && <Arrow size={16} aria-label={t(`drive.order.${order}`)} />}
          // Not `onChange`, because clicking the checked item must reverse the order.
          onClick={() => sortBy(by)}
        >
          {t(`drive.by.${by ?? 'default'}`)}
        </Menu.RadioItem>
      ))}
      {view === 'tiles' && (
        <>
          <Menu.Divider />
          <Menu.Label>{t('drive.tileSize')}</Menu.Label>
          {TILE_SIZES.map((size) => (
            <Menu.RadioItem
              key={size}
              value={size}
              checked={tileSize === size}
              onClick={() => changeDisplaySettings({ tileSize: size })}
            >
              {t(`drive.tileSizes.${size}`)}
            </Menu.RadioItem>
          ))}
        </>
      )}
    </OpenedMenu>
  );
}
