import { findEntry } from '../find-entry.ts';
import { inTurn } from '../in-turn.ts';
import { ConflictDecisions } from './conflict-decisions.ts';
import { askAboutConflict, type ConflictScope } from './conflict-questions.ts';

/** Lets the user decide about the name conflicts of one action. */
export function askUser(scope: ConflictScope): ConflictDecisions {
  return new ConflictDecisions(scope, {
    ask: askAboutConflict,
    find: (conflict) => inTurn(() => findEntry(conflict, conflict.name)),
  });
}
