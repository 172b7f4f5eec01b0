import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { Panel } from '../../ui/dialogs/panel.tsx';
import { EntryDetails } from './entry-details.tsx';

interface DetailsPanelProps {
  readonly entry: EntryRecord;
  /** Whether the preview shows the file at the same time. */
  readonly isBesideFile?: boolean;
  readonly onClose: () => void;
}

/** The details of a file or folder. */
export function DetailsPanel({ entry, isBesideFile = false, onClose }: DetailsPanelProps) {
  const { t } = useTranslation();
  return (
    // Above the preview, because the panel may be opened from there.
    <Panel onClose={onClose} width={400} zIndex={400} title={t('details.title')}>
      <EntryDetails entry={entry} isBesideFile={isBesideFile} onLeave={onClose} />
    </Panel>
  );
}
