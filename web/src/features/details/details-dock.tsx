import { CloseButton, Group, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../api/contract.ts';
import { labelled } from '../../ui/labelled.ts';
import classes from './details.module.css';
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
  const { t } = useTranslation();
  const titleId = useId();
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
    <aside className={classes.dock} aria-labelledby={titleId} onKeyDown={closeByKey}>
      <Group justify="space-between" wrap="nowrap" className={classes.dockHead}>
        <Title order={2} size="h5" id={titleId}>
          {t('details.title')}
        </Title>
        <CloseButton size={40} {...labelled(t('details.close'))} onClick={onClose} />
      </Group>
      {/* It scrolls, so the keyboard must reach it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls */}
      <section className={classes.dockBody} tabIndex={0} aria-labelledby={titleId}>
        {shown === undefined ? (
          <NoSingleEntry count={selectedCount} findSelected={findSelected} />
        ) : (
          <EntryDetails entry={shown} />
        )}
      </section>
    </aside>
  );
}

/** Instead of the details of an entry: the facts of a larger selection, or how to get details. */
function NoSingleEntry({
  count,
  findSelected,
}: Pick<DockProps, 'findSelected'> & { readonly count: number }) {
  const { t } = useTranslation();
  const selected = count > 1 ? findSelected() : undefined;
  return (
    <Stack gap="lg">
      <Text size="sm" c="dimmed">
        {t(count > 1 ? 'details.several' : 'details.nothing', { count })}
      </Text>
      {selected !== undefined && <SelectionFacts entries={selected} />}
    </Stack>
  );
}
