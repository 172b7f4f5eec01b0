import { lazy, Suspense, useSyncExternalStore } from 'react';
import { currentQuestion, onQuestionChange } from './conflict-questions.ts';

const ConflictDialog = lazy(async () => ({
  default: (await import('./conflict-dialog.tsx')).ConflictDialog,
}));

/** Shows the questions about names that are taken, above any page. */
export function ConflictHost() {
  const question = useSyncExternalStore(onQuestionChange, currentQuestion);
  if (question === undefined) return null;
  return (
    <Suspense fallback={null}>
      <ConflictDialog key={question.id} question={question} />
    </Suspense>
  );
}
