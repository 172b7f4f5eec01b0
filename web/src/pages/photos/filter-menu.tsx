import { IconFilter } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { MenuLater } from '../../ui/menus/menu-later.tsx';
import { type FilterChoice, isFiltering } from './photo-filter.ts';

const FilterMenuList = lazyPart(async () => (await import('./filter-menu-list.tsx')).FilterMenuList);
const LeftOutDialog = lazyPart(async () => (await import('./left-out-dialog.tsx')).LeftOutDialog);

/** The button that chooses which pictures are shown. It is coloured while some are hidden. */
export function FilterMenu({ filter, onChange }: FilterChoice) {
  const { t } = useTranslation();
  const isOn = isFiltering(filter);
  const [showsLeftOut, setShowsLeftOut] = useState(false);
  return (
    <>
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
        {(target) => (
          <FilterMenuList {...{ target, filter, onChange }} onLeftOut={() => setShowsLeftOut(true)} />
        )}
      </MenuLater>
      {showsLeftOut && (
        <Suspense fallback={null}>
          <LeftOutDialog onClose={() => setShowsLeftOut(false)} />
        </Suspense>
      )}
    </>
  );
}
