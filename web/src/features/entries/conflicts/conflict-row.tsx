import { NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { driveKey } from '../../../api/in-drive.ts';
import { KEYS } from '../../../api/keys.ts';
import { formatBytes, formatTime } from '../../../messages/formats.ts';
import { useRelativeDates } from '../../../ui/dates/when.tsx';
import { useDriveName } from '../../drives/drive-names.ts';
import { EntryIcon } from '../entry-icon.tsx';
import { findEntry } from '../find-entry.ts';
import { EntryPicture } from '../grid/entry-picture.tsx';
import classes from './conflict-list.module.css';
import type { FolderDecision, ListedConflict } from './conflict-questions.ts';

interface ConflictRowProps {
  readonly row: ListedConflict;
  readonly decision: FolderDecision;
  readonly onDecide: (decision: FolderDecision) => void;
}

/** One taken name: both entries, and what happens to them. */
export function ConflictRow({ row, decision, onDecide }: ConflictRowProps) {
  const { t } = useTranslation();
  const { name, isDirectory, canMerge, canReplace = true } = row;
  const folder = useFolderWords(row);
  const existing = useExisting(row);
  const shown = existing ?? undefined;
  return (
    <>
      <span className={classes.picture}>
        {shown === undefined ? (
          <EntryIcon entry={{ filename: name, contentType: null, directory: isDirectory }} size={28} />
        ) : (
          <EntryPicture entry={shown} iconSize={28} />
        )}
      </span>
      <div className={classes.names}>
        <Text size="sm" truncate title={name}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" truncate title={folder}>
          {folder}
        </Text>
      </div>
      <div className={classes.facts}>
        {shown !== undefined && <Facts of={shown} isNew={false} />}
        <Facts of={{ ...row, directory: isDirectory }} isNew />
      </div>
      <NativeSelect
        className={classes.choice ?? ''}
        aria-label={t('conflicts.decisionFor', { name })}
        value={decision}
        data={[
          ...(canMerge === true ? [{ value: 'merge', label: t('conflicts.merge') }] : []),
          { value: 'keep-both', label: t('conflicts.keepBoth') },
          ...(canReplace ? [{ value: 'replace', label: t('conflicts.replace') }] : []),
          { value: 'skip', label: t('conflicts.skip') },
        ]}
        onChange={({ currentTarget: { value } }) => {
          const decided = DECISIONS.find((one) => one === value);
          if (decided !== undefined) onDecide(decided);
        }}
      />
    </>
  );
}

const DECISIONS: readonly FolderDecision[] = ['merge', 'keep-both', 'replace', 'skip'];

interface FactsOf {
  readonly directory: boolean;
  readonly size?: number | undefined;
  readonly modifiedAt?: string | undefined;
}

/** The size and date of one of the two. */
function Facts({ of, isNew }: { readonly of: FactsOf; readonly isNew: boolean }) {
  const { t } = useTranslation();
  const formatDate = useRelativeDates();
  const { directory, size, modifiedAt } = of;
  const facts = [
    directory ? t('conflicts.aFolder') : size !== undefined && formatBytes(size),
    modifiedAt !== undefined && formatDate(modifiedAt),
  ].filter((fact) => typeof fact === 'string');
  const full = modifiedAt === undefined ? undefined : formatTime(modifiedAt);
  return (
    <Text size="xs" c="dimmed" truncate title={full}>
      {t(isNew ? 'conflicts.newOne' : 'conflicts.oldOne', { facts: facts.join(' · ') })}
    </Text>
  );
}

/** The entry that has the name; undefined while unknown, null if it is gone. */
function useExisting({ existing, drive, directory, name }: ListedConflict): EntryRecord | null | undefined {
  const { data } = useQuery({
    queryKey: [...KEYS.entries(directory, driveKey(drive)), 'taken', name],
    queryFn: async ({ signal }) => (await findEntry({ drive, directory }, name, signal)) ?? null,
    enabled: existing === undefined,
  });
  return existing ?? data;
}

/** A directory for people, with the name of its drive if that is a shared one. */
function useFolderWords({ drive, directory }: ListedConflict): string {
  const driveName = useDriveName(drive);
  const folder = directory.slice(1);
  if (folder === '') return driveName;
  return drive === undefined ? folder : `${driveName}/${folder}`;
}
