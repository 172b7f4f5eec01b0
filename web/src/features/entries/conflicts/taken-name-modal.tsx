import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatTime } from '../../../messages/formats.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import type { ConflictAnswer } from './conflict-questions.ts';

interface TakenNameModalProps {
  readonly name: string;
  /** The entry that has the name now; undefined while it is not known. */
  readonly existing: ExistingEntry | undefined;
  /** The file for which the name is wanted, if it is a file. */
  readonly yours: FileFacts | undefined;
  /** A sentence about the effect of `replace`; undefined for a folder that cannot be replaced. */
  readonly replaceHint: string | undefined;
  /** A sentence about what the answer decides, if it decides more than this conflict. */
  readonly scopeHint?: string | undefined;
  /** The label of the checkbox; undefined if the answer cannot be extended to other conflicts. */
  readonly forAllLabel: string | undefined;
  readonly onAnswer: (answer: ConflictAnswer) => void;
  readonly onClose: () => void;
}

interface FileFacts {
  readonly size: number;
  readonly modifiedAt?: string | undefined;
}

interface ExistingEntry extends FileFacts {
  readonly directory: boolean;
}

/** Asks what to do with an entry whose name is taken: keep both, replace or skip. */
export function TakenNameModal(props: TakenNameModalProps) {
  const { name, existing, yours, replaceHint, scopeHint, forAllLabel, onAnswer, onClose } = props;
  const { t } = useTranslation();
  const [isForAll, setForAll] = useState(false);
  const isFolder = existing?.directory === true;
  return (
    <Dialog onClose={onClose} title={t('conflicts.title')} size="lg">
      <Stack>
        <Text style={{ overflowWrap: 'anywhere' }}>
          {t(
            existing === undefined
              ? 'conflicts.bySomething'
              : isFolder
                ? 'conflicts.byFolder'
                : 'conflicts.byFile',
            {
              name,
            },
          )}
        </Text>
        <Text size="sm" c="dimmed" mih="3.1em">
          {existing !== undefined && !isFolder && (
            <>
              {t('conflicts.there', factsOf(existing))}
              <br />
            </>
          )}
          {yours !== undefined &&
            t(yours.modifiedAt === undefined ? 'conflicts.yourSize' : 'conflicts.yours', factsOf(yours))}
        </Text>
        <Text size="sm">{replaceHint ?? t('conflicts.folderStays')}</Text>
        {scopeHint !== undefined && <Text size="sm">{scopeHint}</Text>}
        {forAllLabel !== undefined && (
          <Checkbox
            checked={isForAll}
            onChange={(event) => setForAll(event.currentTarget.checked)}
            label={forAllLabel}
          />
        )}
        <Group justify="flex-end" gap="sm">
          <Button h={40} variant="default" onClick={() => onAnswer({ decision: 'skip', isForAll })}>
            {t('conflicts.skip')}
          </Button>
          {replaceHint !== undefined && (
            <Button h={40} variant="default" onClick={() => onAnswer({ decision: 'replace', isForAll })}>
              {t('conflicts.replace')}
            </Button>
          )}
          <Button h={40} data-autofocus onClick={() => onAnswer({ decision: 'keep-both', isForAll })}>
            {t('conflicts.keepBoth')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function factsOf({ size, modifiedAt }: FileFacts) {
  return { size: formatBytes(size), time: modifiedAt === undefined ? '' : formatTime(modifiedAt) };
}
