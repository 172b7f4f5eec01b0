import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { TakenNameModal } from '../../entries/conflicts/taken-name-modal.tsx';
import { httpUploadService } from '../service/http-upload-service.ts';
import type { Upload } from '../upload.ts';
import { uploads as queue } from '../uploads.ts';
import { onPostponedChange, postpone, postponedIds } from './postponed-conflicts.ts';

/** Asks how to resolve name conflicts, one after another. If the user closes it, they stay in the list. */
export function TakenDialog({ uploads }: { readonly uploads: readonly Upload[] }) {
  const later = useSyncExternalStore(onPostponedChange, postponedIds);
  const taken = uploads.filter(({ status }) => status === 'taken');
  const asked = taken.find(({ id }) => !later.has(id));
  if (asked === undefined) return null;
  const alike = uploads.filter(({ batchId }) => batchId === asked.batchId).length;
  return (
    <Question
      key={asked.id}
      upload={asked}
      isAlone={alike === 1}
      onClose={() => postpone(taken.map(({ id }) => id))}
    />
  );
}

function Question(parts: { upload: Upload; isAlone: boolean; onClose: () => void }) {
  const { upload, isAlone, onClose } = parts;
  const { t } = useTranslation();
  const { data: entry } = useQuery({
    queryKey: ['uploads', 'taken', upload.driveId, upload.directoryPath, upload.name],
    queryFn: async ({ signal }) =>
      (await httpUploadService.inDrive(upload.driveId).findEntry(upload, signal)) ?? null,
  });
  return (
    <TakenNameModal
      name={upload.name}
      existing={entry ?? undefined}
      yours={{ size: upload.size, modifiedAt: upload.modifiedAt }}
      replaceHint={entry?.directory === true ? undefined : t('conflicts.newVersion')}
      forAllLabel={isAlone ? undefined : t('conflicts.forAllOfUpload')}
      onAnswer={({ decision, isForAll }) => queue.decide(upload.id, decision, isForAll)}
      onClose={onClose}
    />
  );
}
