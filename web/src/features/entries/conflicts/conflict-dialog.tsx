import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { KEYS } from '../../../api/keys.ts';
import { findEntry } from '../find-entry.ts';
import type { ConflictQuestion } from './conflict-questions.ts';
import { TakenNameModal } from './taken-name-modal.tsx';

/** One question about a name that is taken in the drive. Closing it skips the entry, and all that follow. */
export function ConflictDialog({ question }: { readonly question: ConflictQuestion }) {
  const { conflict, scope, answer } = question;
  const { name, directory, isDirectory, size, modifiedAt } = conflict;
  const { t } = useTranslation();
  const { data: existing } = useQuery({
    queryKey: [...KEYS.entries(directory), 'taken', name],
    queryFn: async ({ signal }) => (await findEntry(directory, name, signal)) ?? null,
    staleTime: 0,
  });
  const replaceHint = t(existing?.directory === true ? 'conflicts.replaceFolder' : 'conflicts.replaceFile');
  return (
    <TakenNameModal
      name={name}
      existing={existing ?? undefined}
      yours={isDirectory || size === undefined ? undefined : { size, modifiedAt }}
      replaceHint={replaceHint}
      scopeHint={scope === 'archive' ? t('conflicts.wholeArchive') : undefined}
      forAllLabel={scope === 'several' ? t('conflicts.forAll') : undefined}
      onAnswer={answer}
      onClose={() => answer({ decision: 'skip', isForAll: true })}
    />
  );
}
