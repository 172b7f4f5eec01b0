import { Group } from '@mantine/core';
import { IconKeyboard, IconLayoutGrid, IconList, IconSortDescending } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import {
  changeDisplaySettings,
  useDisplaySettings,
} from '../../features/entries/grid/state/display-settings.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { MenuLater } from '../../ui/menus/menu-later.tsx';
import { useIsLow } from '../../ui/screen-size.ts';

const SortMenuList = lazyPart(async () => (await import('./sort-menu-list.tsx')).SortMenuList);

/** The sort order and the layout of the list. */
export function ViewTools({ onHelp }: { readonly onHelp: () => void }) {
  const { t } = useTranslation();
  const { view } = useDisplaySettings();
  const isLow = useIsLow();
  const isTiles = view === 'tiles';
  const look = { variant: 'subtle', color: 'gray', size: 40 } as const;
  return (
    <Group gap={0} wrap="nowrap">
      {!isLow && (
        <IconButton {...look} visibleFrom="sm" label={t('drive.shortcuts')} onClick={onHelp}>
          <IconKeyboard size={20} aria-hidden />
        </IconButton>
      )}
      <MenuLater
        target={
          <IconButton {...look} label={t('drive.sortAndView')}>
            <IconSortDescending size={20} aria-hidden />
          </IconButton>
        }
      >
        {(target) => <SortMenuList target={target} />}
      </MenuLater>
      <IconButton
        {...look}
        label={t(isTiles ? 'drive.asList' : 'drive.asTiles')}
        onClick={() => changeDisplaySettings({ view: isTiles ? 'list' : 'tiles' })}
      >
        {isTiles ? <IconList size={20} aria-hidden /> : <IconLayoutGrid size={20} aria-hidden />}
      </IconButton>
    </Group>
  );
}
