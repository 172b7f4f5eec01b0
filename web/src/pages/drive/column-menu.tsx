import { IconColumns3 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { MenuLater } from '../../ui/menus/menu-later.tsx';

const ColumnMenuList = lazyPart(async () => (await import('./column-menu-list.tsx')).ColumnMenuList);

/** A button at the column heads, where the user chooses the columns. */
export function ColumnMenu() {
  const { t } = useTranslation();
  return (
    <MenuLater
      target={
        <IconButton variant="subtle" color="gray" size={32} label={t('drive.columns')}>
          <IconColumns3 size={16} aria-hidden />
        </IconButton>
      }
    >
      {(target) => <ColumnMenuList target={target} />}
    </MenuLater>
  );
}
