import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { FixedRows } from '../../../ui/fixed-rows.tsx';
import { useIsNarrow } from '../../../ui/screen-size.ts';
import { decisionFor } from './conflict-decisions.ts';
import classes from './conflict-list.module.css';
import type { ConflictDecision, FolderDecision, ListedConflict } from './conflict-questions.ts';
import { ConflictRow } from './conflict-row.tsx';

const WIDE_ROW_PX = 72;
const NARROW_ROW_PX = 156;
const ROWS_IN_SIGHT = 6;

/** What happens to a file if the user decides nothing. It changes no existing file. */
const DEFAULT: ConflictDecision = 'keep-both';

interface ConflictListDialogProps {
  readonly rows: readonly ListedConflict[];
  /** A sentence about the effect of replacing. */
  readonly hint: string;
  /** The label of the button that decides nothing. */
  readonly closeLabel: string;
  /** @param forAll also applies to conflicts that are found later */
  readonly onAnswer: (
    decisionOf: (id: string) => FolderDecision,
    forAll: ConflictDecision | undefined,
  ) => void;
  readonly onClose: () => void;
}

/** Lists all taken names, with a decision for each of them and one for all. Names may come and go. */
export function ConflictListDialog(props: ConflictListDialogProps) {
  const { rows, hint, closeLabel, onAnswer, onClose } = props;
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const [forAll, setForAll] = useState<ConflictDecision>();
  const [chosen, setChosen] = useState<ReadonlyMap<string, FolderDecision>>(new Map());
  const decisionOf = (row: ListedConflict) => chosen.get(row.id) ?? suggest(row, forAll);
  const submit = () => {
    const decisions = new Map(rows.map((row) => [row.id, decisionOf(row)]));
    onAnswer((id) => decisions.get(id) ?? DEFAULT, forAll);
  };
  return (
    <Dialog
      onClose={onClose}
      title={t('conflicts.listTitle', { count: rows.length })}
      size="xl"
      fullScreen={isNarrow}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
        <NativeSelect
          data-autofocus
          className={classes.all ?? ''}
          label={t('conflicts.decideAll')}
          value={forAll ?? ''}
          data={[
            { value: '', label: t('conflicts.decideEach') },
            { value: 'keep-both', label: t('conflicts.keepBoth') },
            { value: 'replace', label: t('conflicts.replace') },
            { value: 'skip', label: t('conflicts.skip') },
          ]}
          onChange={({ currentTarget: { value } }) => {
            setForAll(DECISIONS.find((decision) => decision === value));
            setChosen(new Map());
          }}
        />
        <FixedRows
          items={rows}
          keyOf={({ id }) => id}
          rowPx={isNarrow ? NARROW_ROW_PX : WIDE_ROW_PX}
          rowsInSight={ROWS_IN_SIGHT}
          className={classes.list}
          rowClassName={classes.row}
          label={t('conflicts.list')}
        >
          {(row) => (
            <ConflictRow
              row={row}
              decision={decisionOf(row)}
              onDecide={(decision) => setChosen(new Map(chosen).set(row.id, decision))}
            />
          )}
        </FixedRows>
        <Group justify="flex-end" gap="sm">
          <Button h="max(40px, var(--tap-size))" variant="default" onClick={onClose}>
            {closeLabel}
          </Button>
          <Button h="max(40px, var(--tap-size))" onClick={submit}>
            {t('conflicts.apply')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function suggest(row: ListedConflict, forAll: ConflictDecision | undefined): FolderDecision {
  if (forAll === undefined) return row.canMerge === true ? 'merge' : DEFAULT;
  return decisionFor(row, forAll);
}

const DECISIONS: readonly ConflictDecision[] = ['keep-both', 'replace', 'skip'];
