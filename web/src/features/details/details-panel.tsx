import { Drawer } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../api/contract.ts';
import { useReturnedFocus } from '../../ui/dialogs/use-returned-focus.ts';
import { labelled } from '../../ui/labelled.ts';
import { EntryDetails } from './entry-details.tsx';

/** The details of a file or folder in a drawer: on small screens, and above the preview. */
export function DetailsPanel({
  entry,
  onClose,
}: {
  readonly entry: EntryRecord;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  useReturnedFocus();
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={400}
      // Above the preview, from which it may have been opened.
      zIndex={400}
      title={t('details.title')}
      closeButtonProps={{ ...labelled(t('common.close')), size: 40 }}
    >
      <EntryDetails entry={entry} onLeave={onClose} />
    </Drawer>
  );
}
