import { useTranslation } from 'react-i18next';
import { ConflictListDialog } from './conflict-list-dialog.tsx';
import { answerTogether, type ConflictAnswer, type ConflictQuestion } from './conflict-questions.ts';

/** Asks about all taken names of one action. Closing the dialog skips these entries and all that follow. */
export function ConflictList({ questions }: { readonly questions: readonly ConflictQuestion[] }) {
  const { t } = useTranslation();
  const isAnyFolder = questions.some(
    ({ conflict: { existing, canReplace } }) => existing?.directory === true && canReplace === true,
  );
  const answer = (answerTo: (question: ConflictQuestion) => ConflictAnswer) =>
    answerTogether(new Map(questions.map((question) => [question, answerTo(question)])));
  return (
    <ConflictListDialog
      rows={questions.map(({ id, conflict }) => ({ ...conflict, id: String(id) }))}
      hint={t(isAnyFolder ? 'conflicts.replaceAny' : 'conflicts.replaceFile')}
      closeLabel={t('conflicts.skipAll')}
      onAnswer={(decisionFor, forAll) =>
        answer(({ id }) => ({ decision: decisionFor(String(id)), ...(forAll && { forAll }) }))
      }
      onClose={() => answer(() => ({ decision: 'skip', forAll: 'skip' }))}
    />
  );
}
