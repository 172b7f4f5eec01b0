import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatTime } from '../../../messages/formats.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import type { ConflictAnswer, ConflictDecision } from './conflict-questions.ts';

interface TakenNameModalProps {
  readonly name: string;
  /** The entry that has the name now; undefined while unknown. */
  readonly existing: ExistingEntry | undefined;
  /** Whether that entry is being looked up. */
  readonly isSearching?: boolean | undefined;
  /** The user's file that should get the name; undefined for a folder. */
  readonly yours: FileFacts | undefined;
  /** The content of the user's folder that should get the name; undefined for a file. */
  readonly yourTotals?: FolderTotals | undefined;
  /** A sentence about the effect of `replace`; undefined if the entry cannot be replaced. */
  readonly replaceHint: string | undefined;
  /** Whether both are folders that can be merged. */
  readonly canMerge?: boolean | undefined;
  /** Explains the scope of the answer, if it decides more than this conflict. */
  readonly scopeHint?: string | undefined;
  /** The label of the checkbox; undefined if the answer cannot be extended to other conflicts. */
  readonly forAllLabel: string | undefined;
  readonly onAnswer: (answer: ConflictAnswer) => void;
  readonly onClose: () => void;
}

/** How many files a folder contains at any depth, and their size. */
export interface FolderTotals {
  readonly count: number;
  readonly size: number;
}

interface FileFacts {
  readonly size: number;
  readonly modifiedAt?: string | undefined;
}

interface ExistingEntry extends FileFacts {
  readonly directory: boolean;
  readonly totals?: FolderTotals | undefined;
}

/** Asks what to do with an entry whose name is taken: keep both, replace or skip. */
export function TakenNameModal(props: TakenNameModalProps) {
  const { name, existing, yours, yourTotals, replaceHint, scopeHint, forAllLabel, onAnswer, onClose } = props;
  const { t } = useTranslation();
  const { canMerge = false, isSearching = false } = props;
  const [isForAll, setForAll] = useState(false);
  const decide = (decision: ConflictDecision) =>
    onAnswer({ decision, ...(isForAll && { forAll: decision }) });
  return (
    <Dialog onClose={onClose} title={t('conflicts.title', { name })} size="lg">
      <Stack>
        <BothFacts {...{ existing, yours, yourTotals, isSearching }} />
        {canMerge && <Text size="sm">{t('conflicts.mergeFolders')}</Text>}
        <Text size="sm">
          {replaceHint ?? t(existing?.directory === false ? 'conflicts.fileStays' : 'conflicts.folderStays')}
        </Text>
        {scopeHint !== undefined && <Text size="sm">{scopeHint}</Text>}
        {forAllLabel !== undefined && (
          <Checkbox
            checked={isForAll}
            onChange={(event) => setForAll(event.currentTarget.checked)}
            label={forAllLabel}
          />
        )}
        <Group justify="flex-end" gap="sm">
          <Button h={40} variant="default" onClick={() => decide('skip')}>
            {t('conflicts.skip')}
          </Button>
          {replaceHint !== undefined && (
            <Button h={40} variant="default" onClick={() => decide('replace')}>
              {t('conflicts.replace')}
            </Button>
          )}
          <Button
            h={40}
            variant={canMerge ? 'default' : 'filled'}
            data-autofocus={canMerge ? undefined : true}
            onClick={() => decide('keep-both')}
          >
            {t('conflicts.keepBoth')}
          </Button>
          {canMerge && (
            <Button h={40} data-autofocus onClick={() => onAnswer({ decision: 'merge' })}>
              {t('conflicts.merge')}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

/** The facts of both entries. Their lines keep their space while they are being loaded. */
function BothFacts({
  existing,
  yours,
  yourTotals,
  isSearching,
}: Pick<TakenNameModalProps, 'existing' | 'yours' | 'yourTotals' | 'isSearching'>) {
  const { t } = useTranslation();
  const theirs = existing?.directory === true ? existing.totals : undefined;
  const lines = [
    existing?.directory === false && t('conflicts.there', factsOf(existing)),
    theirs && t('conflicts.folderThere', { ...theirs, size: formatBytes(theirs.size) }),
    yours && t(yours.modifiedAt === undefined ? 'conflicts.yourSize' : 'conflicts.yours', factsOf(yours)),
    yourTotals && t('conflicts.yourFolder', { ...yourTotals, size: formatBytes(yourTotals.size) }),
  ].filter((line) => typeof line === 'string');
  if (isSearching !== true && lines.length === 0) return null;
  return (
    <Text
      size="sm"
      c="dimmed"
      mih={isSearching === true ? '3.1em' : undefined}
      style={{ whiteSpace: 'pre-line' }}
    >
      {lines.join('\n')}
    </Text>
  );
}

function factsOf({ size, modifiedAt }: FileFacts) {
  return { size: formatBytes(size), time: modifiedAt === undefined ? '' : formatTime(modifiedAt) };
}
