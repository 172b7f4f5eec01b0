import { ActionIcon, Group, Menu } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconKeyboard,
  IconLayoutGrid,
  IconList,
  IconSortDescending,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { changeLook, sortBy, useDriveLook } from './drive-look.ts';

const SORTS = [undefined, 'name', 'size', 'updatedAt', 'createdAt'] as const;

/** How the list is shown: sorted by what, and as what. */
export function ViewTools({ onHelp }: { readonly onHelp: () => void }) {
  const { t } = useTranslation();
  const { view, sort, order } = useDriveLook();
  const isTiles = view === 'tiles';
  const Arrow = order === 'asc' ? IconArrowUp : IconArrowDown;
  const look = { variant: 'subtle', color: 'gray', size: 40 } as const;
  return (
    <Group gap={0} wrap="nowrap">
      <ActionIcon {...look} visibleFrom="sm" aria-label={t('drive.shortcuts')} onClick={onHelp}>
        <IconKeyboard size={20} aria-hidden />
      </ActionIcon>
      <Menu position="bottom-end" width={220} closeOnItemClick={false}>
        <Menu.Target>
          <ActionIcon {...look} aria-label={t('drive.sort')}>
            <IconSortDescending size={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
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
        </Menu.Dropdown>
      </Menu>
      <ActionIcon
        {...look}
        aria-label={t(isTiles ? 'drive.asList' : 'drive.asTiles')}
        onClick={() => changeLook({ view: isTiles ? 'list' : 'tiles' })}
      >
        {isTiles ? <IconList size={20} aria-hidden /> : <IconLayoutGrid size={20} aria-hidden />}
      </ActionIcon>
    </Group>
  );
}
