import { Drawer } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { useReturnedFocus } from '../../ui/dialogs/use-returned-focus.ts';
import { labelled } from '../../ui/labelled.ts';
import { useIsNarrow } from '../../ui/screen-size.ts';
import { EntryDetails } from './entry-details.tsx';

interface DetailsPanelProps {
  readonly entry: EntryRecord;
  /** Whether the preview shows the file at the same time. */
  readonly isBesideFile?: boolean;
  readonly onClose: () => void;
}

/** The details of a file or folder in a drawer. On a phone, it opens from below. */
export function DetailsPanel({ entry, isBesideFile = false, onClose }: DetailsPanelProps) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  useReturnedFocus();
  return (
    <Drawer
      opened
      onClose={onClose}
      position={isNarrow ? 'bottom' : 'right'}
      size={isNarrow ? '75%' : 400}
      // Above the preview, because the drawer may be opened from there.
      zIndex={400}
      title={t('details.title')}
      closeButtonProps={{ ...labelled(t('common.close')), size: 40 }}
    >
      <EntryDetails entry={entry} isBesideFile={isBesideFile} onLeave={onClose} />
    </Drawer>
  );
}
