import { Menu, Text } from '@mantine/core';
import { Fragment, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { DANGER } from '../../../ui/danger.ts';
import { useMayCreateDrives } from '../../drives/use-drive.ts';
import { type Chosen, chosenOf } from '../../entries/entry-source.ts';
import { isCountingSizes } from '../../entries/folder-size/wanted-sizes.ts';
import { PointMenu } from '../../entries/grid/pointer/point-menu.tsx';
import type { GridMenu } from '../../entries/grid/state/use-entry-grid.ts';
import { ACTION_ICONS } from './action-icons.tsx';
import { ACTION_KEYS, actionsFor, type EntryAction } from './entry-actions.ts';

interface EntryMenuProps {
  readonly menu: GridMenu<EntryRecord> | undefined;
  readonly canReveal: boolean;
  /** Whether the user may change all of these entries. */
  readonly isEditable: (chosen: Chosen<EntryRecord>) => boolean;
  readonly onAct: (action: EntryAction, chosen: Chosen<EntryRecord>) => void;
  readonly onClose: () => void;
  readonly onFocusBack: () => void;
}

/** The menu with the actions for the selected entries. The whole list shares it. */
export function EntryMenu({ menu, canReveal, isEditable, onAct, onClose, onFocusBack }: EntryMenuProps) {
  const { t } = useTranslation();
  const canShareWithPeople = useMayCreateDrives() === true;
  // The content must not change while the menu fades out.
  const last = useRef<Chosen<EntryRecord>>(chosenOf([]));
  if (menu !== undefined) last.current = menu.chosen;
  const chosen = last.current;
  const options = {
    ...{ canReveal, canShareWithPeople },
    canEdit: isEditable(chosen),
    isCounting: isCountingSizes(),
  };
  const label = chosen.only?.filename ?? t('drive.selected', { count: chosen.count });
  return (
    <PointMenu at={menu?.at} label={label} onClose={onClose} onFocusBack={onFocusBack}>
      {actionsFor(chosen, options).map((group, index) => (
        <Fragment key={group[0]}>
          {index > 0 && <Menu.Divider />}
          {group.map((action) => (
            <EntryMenuLine key={action} action={action} onAct={() => onAct(action, chosen)} />
          ))}
        </Fragment>
      ))}
    </PointMenu>
  );
}

function EntryMenuLine({ action, onAct }: { action: EntryAction; onAct: () => void }) {
  const { t } = useTranslation();
  const Icon = ACTION_ICONS[action];
  const key = ACTION_KEYS[action];
  return (
    <Menu.Item
      leftSection={<Icon size={18} aria-hidden />}
      rightSection={
        key && (
          <Text size="xs" c="dimmed" visibleFrom="sm" aria-hidden>
            {key}
          </Text>
        )
      }
      {...(action === 'recycle' ? { c: DANGER } : {})}
      onClick={onAct}
    >
      {t(`drive.do.${action}`)}
    </Menu.Item>
  );
}
