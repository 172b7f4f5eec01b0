import { Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { formatBytes } from '../../messages/formats.ts';
import classes from './details.module.css';
import { DetailsAside } from './details-aside.tsx';
import { asksForDetails } from './details-key.ts';
import { EntryDetails } from './entry-details.tsx';
import { fileTypeOf } from './file-type.ts';

/** Details are requested only when the selection has not changed for this long. */
const DWELL_MS = 150;
/** The maximum number of listed types. Rarer types count only towards the total. */
const MAX_TYPES = 8;

interface DockProps {
  /** The selected entry, if there is exactly one. */
  readonly entry: EntryRecord | undefined;
  readonly selectedCount: number;
  /** Returns the entries of a larger selection; undefined while some are not loaded. */
  readonly findSelected: () => readonly EntryRecord[] | undefined;
  readonly onClose: () => void;
}

/** The details of the selected entry beside the list. */
export function DetailsDock({ entry, selectedCount, findSelected, onClose }: DockProps) {
  const [shown] = useDebouncedValue(entry, DWELL_MS);
  const closeByKey = (event: KeyboardEvent) => {
    // Events of dialogs that were opened from here also arrive here.
    const isHere = event.target instanceof Node && event.currentTarget.contains(event.target);
    const isPlain = !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
    if (isHere && ((isPlain && event.key === 'Escape') || asksForDetails(event))) {
      event.preventDefault();
      onClose();
    }
  };
  return (
    <DetailsAside onClose={onClose} onKeyDown={closeByKey}>
      {shown === undefined ? (
        <NoSingleEntry count={selectedCount} findSelected={findSelected} />
      ) : (
        <EntryDetails entry={shown} />
      )}
    </DetailsAside>
  );
}

/** Shown if not exactly one entry is selected: facts about the selection, or how to get details. */
function NoSingleEntry({
  count,
  findSelected,
}: Pick<DockProps, 'findSelected'> & { readonly count: number }) {
  const { t } = useTranslation();
  // Memoised, because a list may have 100,000 entries.
  const selected = useMemo(() => (count > 1 ? findSelected() : undefined), [count, findSelected]);
  const size = useMemo(() => selected?.reduce((sum, entry) => sum + entry.size, 0), [selected]);
  const isSized = size !== undefined && selected?.every(({ directory }) => !directory);
  return (
    <Stack gap="lg">
      <Text size="sm" c="dimmed">
        {count < 2
          ? t('details.nothing')
          : isSized
            ? t('details.several', { count, size: formatBytes(size) })
            : t('drive.count', { count })}
      </Text>
      {selected !== undefined && <SelectionFacts entries={selected} />}
    </Stack>
  );
}

/** The number of selected entries of each type, and the size of the files beside folders of unknown size. */
function SelectionFacts({ entries }: { readonly entries: readonly EntryRecord[] }) {
  const { t } = useTranslation();
  const files = entries.filter(({ directory }) => !directory);
  const folderCount = entries.length - files.length;
  const types = new Map<string, number>();
  for (const file of files) {
    const { purpose, format } = fileTypeOf(file);
    const type = t(`details.types.${purpose}`, { format });
    types.set(type, (types.get(type) ?? 0) + 1);
  }
  const commonest = [...types].sort(([, one], [, other]) => other - one).slice(0, MAX_TYPES);
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{t('details.contents')}</dt>
        <dd>
          {t('details.files', { count: files.length })}, {t('details.folders', { count: folderCount })}
        </dd>
      </div>
      {files.length > 0 && (
        <>
          {folderCount > 0 && (
            <div>
              <dt>{t('details.sizeOfFiles')}</dt>
              <dd>{formatBytes(files.reduce((sum, { size }) => sum + size, 0))}</dd>
            </div>
          )}
          <div>
            <dt>{t('details.type')}</dt>
            {commonest.map(([type, count]) => (
              <dd key={type}>{t('details.ofType', { type, count })}</dd>
            ))}
          </div>
        </>
      )}
    </dl>
  );
}
