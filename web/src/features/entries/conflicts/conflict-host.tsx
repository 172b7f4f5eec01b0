import { Suspense, useSyncExternalStore } from 'react';
import { lazyPart } from '../../../common/timing/lazy-part.ts';
import { currentQuestion, onQuestionChange } from './conflict-questions.ts';

const ConflictDialog = lazyPart(async () => (await import('./conflict-dialog.tsx')).ConflictDialog);

/** Shows the questions about taken names, above any page. */
export function ConflictHost() {
  const question = useSyncExternalStore(onQuestionChange, currentQuestion);
  if (question === undefined) return null;
  return (
    <Suspense fallback={null}>
      <ConflictDialog key={question.id} question={question} />
    </Suspense>
  );
}
