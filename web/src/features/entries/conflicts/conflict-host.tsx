import { Suspense, useSyncExternalStore } from 'react';
import { lazyPart } from '../../../common/timing/lazy-part.ts';
import { onQuestionChange, openQuestions } from './conflict-questions.ts';

const ConflictDialog = lazyPart(async () => (await import('./conflict-dialog.tsx')).ConflictDialog);
const ConflictList = lazyPart(async () => (await import('./conflict-list.tsx')).ConflictList);

/** Shows the questions about taken names, above any page. */
export function ConflictHost() {
  const questions = useSyncExternalStore(onQuestionChange, openQuestions);
  const [question] = questions;
  if (question === undefined) return null;
  return (
    <Suspense fallback={null}>
      {question.scope === 'list' ? (
        <ConflictList questions={questions.filter(({ action }) => action === question.action)} />
      ) : (
        <ConflictDialog key={question.id} question={question} />
      )}
    </Suspense>
  );
}
