import { Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { DetailsAside } from './details-aside.tsx';
import { asksForDetails } from './details-key.ts';
import { EntryDetails } from './entry-details.tsx';
import { SelectionFacts } from './selection-facts.tsx';

/** While the selection changes faster than this, nothing is requested. */
const DWELL_MS = 150;

interface DockProps {
  /** The selected entry, if there is exactly one. */
  readonly entry: EntryRecord | undefined;
  readonly selectedCount: number;
  /** The entries of a larger selection; undefined while they are not all loaded. */
  readonly findSelected: () => readonly EntryRecord[] | undefined;
  readonly onClose: () => void;
}

/** The details of the selected entry beside the list. */
export function DetailsDock({ entry, selectedCount, findSelected, onClose }: DockProps) {
  const [shown] = useDebouncedValue(entry, DWELL_MS);
  const closeByKey = (event: KeyboardEvent) => {
    // Events of dialogs that were opened from here arrive, too.
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

/** Instead of the details of an entry: the facts of a larger selection, or how to get details. */
function NoSingleEntry({
  count,
  findSelected,
}: Pick<DockProps, 'findSelected'> & { readonly count: number }) {
  const { t } = useTranslation();
  // A list may have 100,000 entries.
  const selected = useMemo(() => (count > 1 ? findSelected() : undefined), [count, findSelected]);
  return (
    <Stack gap="lg">
      <Text size="sm" c="dimmed">
        {t(count > 1 ? 'details.several' : 'details.nothing', { count })}
      </Text>
      {selected !== undefined && <SelectionFacts entries={selected} />}
    </Stack>
  );
}
