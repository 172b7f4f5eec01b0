import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { ConflictListDialog } from '../../entries/conflicts/conflict-list-dialog.tsx';
import type { ConflictDecision, FolderDecision } from '../../entries/conflicts/conflict-questions.ts';
import { TakenNameModal } from '../../entries/conflicts/taken-name-modal.tsx';
import { httpUploadService } from '../service/http-upload-service.ts';
import type { Upload } from '../upload.ts';
import { uploads as queue } from '../uploads.ts';
import { onPostponedChange, postpone, postponedIds } from './postponed-conflicts.ts';

/**
 * Asks what to do about taken names, of all uploads together, while the other uploads continue. If the user
 * closes it, they stay in the tray.
 */
export function TakenDialog({ uploads }: { readonly uploads: readonly Upload[] }) {
  const later = useSyncExternalStore(onPostponedChange, postponedIds);
  const taken = uploads.filter(({ status }) => status === 'taken');
  const [asked] = taken.filter(({ id }) => !later.has(id));
  if (asked === undefined) return null;
  const close = () => postpone(taken.map(({ id }) => id));
  const isAlone =
    taken.length === 1 && uploads.filter(({ batchId }) => batchId === asked.batchId).length === 1;
  return isAlone ? (
    <Question key={asked.id} upload={asked} onClose={close} />
  ) : (
    <Questions taken={taken} onClose={close} />
  );
}

function Questions({ taken, onClose }: { readonly taken: readonly Upload[]; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const rows = taken.map(({ id, name, driveId, directoryPath, size, modifiedAt, existing }) => ({
    ...{ id, name, drive: driveId, directory: directoryPath, isDirectory: false },
    ...{ size, modifiedAt, existing, canReplace: existing?.directory !== true },
  }));
  return (
    <ConflictListDialog
      rows={rows}
      hint={t('conflicts.newVersion')}
      closeLabel={t('conflicts.later')}
      onAnswer={(decisionOf, forAll) =>
        queue.decide(new Map(taken.map(({ id }) => [id, toUploadDecision(decisionOf(id))])), forAll)
      }
      onClose={onClose}
    />
  );
}

/** Folders are merged without asking. */
function toUploadDecision(decision: FolderDecision): ConflictDecision {
  return decision === 'merge' ? 'keep-both' : decision;
}

function Question({ upload, onClose }: { readonly upload: Upload; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { data: entry, isPending } = useQuery({
    queryKey: ['uploads', 'taken', upload.driveId, upload.directoryPath, upload.name],
    queryFn: async ({ signal }) =>
      (await httpUploadService.inDrive(upload.driveId).findEntry(upload, signal)) ?? null,
  });
  return (
    <TakenNameModal
      name={upload.name}
      existing={entry ?? undefined}
      isSearching={isPending}
      yours={{ size: upload.size, modifiedAt: upload.modifiedAt }}
      replaceHint={entry?.directory === true ? undefined : t('conflicts.newVersion')}
      forAllLabel={undefined}
      onAnswer={({ decision }) => queue.decide(new Map([[upload.id, toUploadDecision(decision)]]))}
      onClose={onClose}
    />
  );
}
