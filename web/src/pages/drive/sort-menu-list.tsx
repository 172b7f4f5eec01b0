import { Menu } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { OpenedMenu } from '../../ui/opened-menu.tsx';
import { sortBy, useDriveLook } from './drive-look.ts';

const SORTS = [undefined, 'name', 'size', 'modifiedAt', 'createdAt'] as const;

/** The sort keys of the list. */
export function SortMenuList({ target }: { readonly target: ReactElement<object> }) {
  const { t } = useTranslation();
  const { sort, order } = useDriveLook();
  const Arrow = order === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <OpenedMenu target={target} position="bottom-end" width={220} closeOnItemClick={false}>
      {SORTS.map((by) => (
        <Menu.Item
          key={by ?? 'default'}
          role="menuitemradio"
          aria-checked={sort === by}
          {...(sort === by ? { fw: 600 } : {})}
          rightSection={sort === by && <Arrow size={16} aria-label={t(`drive.order.${order}`)} />}
          onClick={() => sortBy(by)}
        >
          {t(`drive.by.${by ?? 'default'}`)}
        </Menu.Item>
      ))}
    </OpenedMenu>
  );
}
