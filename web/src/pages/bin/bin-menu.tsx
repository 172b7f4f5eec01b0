import { Menu } from '@mantine/core';
import { IconRestore, IconTrashX } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { BinRecord } from '../../../../client/src/client.ts';
import { type Chosen, chosenOf } from '../../features/entries/entry-source.ts';
import { PointMenu } from '../../features/entries/grid/pointer/point-menu.tsx';
import type { GridMenu } from '../../features/entries/grid/state/use-entry-grid.ts';
import { DANGER } from '../../ui/danger.ts';

interface MenuProps {
  readonly menu: GridMenu<BinRecord> | undefined;
  readonly onRestore: (chosen: Chosen<BinRecord>) => void;
  readonly onPurge: (chosen: Chosen<BinRecord>) => void;
  readonly onClose: () => void;
  readonly onFocusBack: () => void;
}

export function BinMenu({ menu, onRestore, onPurge, onClose, onFocusBack }: MenuProps) {
  const { t } = useTranslation();
  const last = useRef<Chosen<BinRecord>>(chosenOf([]));
  if (menu !== undefined) last.current = menu.chosen;
  const chosen = last.current;
  const label = chosen.only?.filename ?? t('drive.selected', { count: chosen.count });
  return (
    <PointMenu at={menu?.at} label={label} onClose={onClose} onFocusBack={onFocusBack}>
      <Menu.Item leftSection={<IconRestore size={18} aria-hidden />} onClick={() => onRestore(chosen)}>
        {t('bin.restore')}
      </Menu.Item>
      <Menu.Item
        c={DANGER}
        leftSection={<IconTrashX size={18} aria-hidden />}
        onClick={() => onPurge(chosen)}
      >
        {t('bin.purge')}
      </Menu.Item>
    </PointMenu>
  );
}
