import { IconFilter } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { MenuLater } from '../../ui/menus/menu-later.tsx';
import { type FilterChoice, isFiltering } from './photo-filter.ts';

const FilterMenuList = lazyPart(async () => (await import('./filter-menu-list.tsx')).FilterMenuList);

/** The button that chooses which pictures are shown. It is coloured while some are hidden. */
export function FilterMenu({ filter, onChange }: FilterChoice) {
  const { t } = useTranslation();
  const isOn = isFiltering(filter);
  return (
    <MenuLater
      target={
        <IconButton
          size={40}
          variant={isOn ? 'light' : 'subtle'}
          {...(!isOn && { color: 'gray' })}
          label={t(isOn ? 'photos.filterOn' : 'photos.filter')}
        >
          <IconFilter size={20} aria-hidden />
        </IconButton>
      }
    >
      {(target) => <FilterMenuList {...{ target, filter, onChange }} />}
    </MenuLater>
  );
}
