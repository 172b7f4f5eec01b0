import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../api/ask.ts';
import { type DriveId, driveKey } from '../../../api/in-drive.ts';
import { KEYS } from '../../../api/keys.ts';
import { findEntry } from '../find-entry.ts';
import type { ConflictQuestion } from './conflict-questions.ts';
import { type FolderTotals, TakenNameModal } from './taken-name-modal.tsx';

/** Asks about one taken name in the drive. Closing the dialog skips this entry and all that follow. */
export function ConflictDialog({ question }: { readonly question: ConflictQuestion }) {
  const { conflict, scope, answer } = question;
  const { id, ownDrive, name, drive, directory, isDirectory, size, modifiedAt, canMerge } = conflict;
  const { t } = useTranslation();
  const { data: existing, isPending } = useQuery({
    queryKey: [...KEYS.entries(directory, driveKey(drive)), 'taken', name],
    queryFn: async ({ signal }) => (await findEntry({ drive, directory }, name, signal)) ?? null,
    staleTime: 0,
    ...(conflict.existing && { initialData: conflict.existing }),
  });
  const theirTotals = useFolderTotals(existing?.directory === true ? existing.id : undefined, drive);
  const yourTotals = useFolderTotals(isDirectory ? id : undefined, ownDrive);
  const isFolder = existing?.directory === true;
  // A file and a folder do not replace each other. An archive may contain both.
  const canReplace = scope === 'archive' || existing == null || isFolder === isDirectory;
  return (
    <TakenNameModal
      name={name}
      isSearching={isPending}
      canMerge={canMerge}
      existing={existing ? { ...existing, totals: theirTotals } : undefined}
      yours={isDirectory || size === undefined ? undefined : { size, modifiedAt }}
      yourTotals={yourTotals}
      replaceHint={canReplace ? t(isFolder ? 'conflicts.replaceFolder' : 'conflicts.replaceFile') : undefined}
      scopeHint={scope === 'archive' ? t('conflicts.wholeArchive') : undefined}
      forAllLabel={scope === 'several' ? t('conflicts.forAll') : undefined}
      onAnswer={answer}
      onClose={() => answer({ decision: 'skip', forAll: 'skip' })}
    />
  );
}

/** How much is in a folder; undefined while unknown, or if the folder is too large to count. */
function useFolderTotals(id: number | undefined, drive: DriveId): FolderTotals | undefined {
  const { data } = useQuery({
    ...queryOf(KEYS.entry(id ?? 0), 'GET /api/v2/files/{fileId}', { path: { fileId: id ?? 0 }, drive }),
    enabled: id !== undefined,
    retry: false,
  });
  if (id === undefined || data?.fileCount == null || data.totalSize == null) return undefined;
  return { count: data.fileCount, size: data.totalSize };
}
