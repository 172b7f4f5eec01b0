import { Menu } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import {
  changeDisplaySettings,
  sortBy,
  TILE_SIZES,
  useDisplaySettings,
} from '../../features/entries/grid/state/display-settings.ts';
import { OpenedMenu } from '../../ui/menus/opened-menu.tsx';
import { useHasMouse, useIsLow, useIsNarrow } from '../../ui/screen-size.ts';
import { ColumnItems } from './column-items.tsx';

const SORTS = [undefined, 'size', 'modifiedAt', 'createdAt'] as const;

/** The sort order and the look of the list. */
export function SortMenuList({ target }: { readonly target: ReactElement<object> }) {
  const { t } = useTranslation();
  const { view, tileSize, sort, order, opensOnDoubleClick } = useDisplaySettings();
  const isNarrow = useIsNarrow();
  const isLow = useIsLow();
  const hasMouse = useHasMouse();
  const isByName = sort === undefined || sort === 'name';
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
      {SORTS.map((by) => {
        const isChosen = by === undefined ? isByName : sort === by;
        return (
          <Menu.RadioItem
            key={by ?? 'name'}
            value={by ?? 'name'}
            checked={isChosen}
            rightSection={isChosen && <Arrow size={16} aria-label={t(`drive.order.${order}`)} />}
            // Not `onChange`, because clicking the checked item must reverse the order.
            onClick={() => sortBy(by)}
          >
            {t(`drive.by.${by ?? 'name'}`)}
          </Menu.RadioItem>
        );
      })}
      {isByName && (
        <>
          <Menu.Divider />
          <Menu.CheckboxItem
            checked={sort === undefined}
            onClick={() => changeDisplaySettings({ sort: sort === undefined ? 'name' : undefined })}
          >
            {t('drive.foldersOnTop')}
          </Menu.CheckboxItem>
        </>
      )}
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
      {view === 'list' && !isNarrow && !isLow && (
        <>
          <Menu.Divider />
          <ColumnItems />
        </>
      )}
      {hasMouse && (
        <>
          <Menu.Divider />
          <Menu.CheckboxItem
            checked={opensOnDoubleClick}
            onClick={() => changeDisplaySettings({ opensOnDoubleClick: !opensOnDoubleClick })}
          >
            {t('drive.openOnDoubleClick')}
          </Menu.CheckboxItem>
        </>
      )}
    </OpenedMenu>
  );
}
