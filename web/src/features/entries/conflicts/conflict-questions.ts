import type { DriveId } from '../../../api/in-drive.ts';
import type { DirectoryPlace } from '../find-entry.ts';

/** The user's decision about an entry whose name is taken. */
export type ConflictDecision = 'keep-both' | 'replace' | 'skip';

/** An entry whose name is taken at its destination. */
export interface NameConflict {
  /** Set for an entry of the drive. The content of such a folder can be counted. */
  readonly id?: number | undefined;
  /** The drive of that entry. */
  readonly ownDrive?: DriveId;
  readonly name: string;
  /** The drive of the directory. */
  readonly drive: DriveId;
  /** The directory where the name is taken. */
  readonly directory: string;
  readonly isDirectory: boolean;
  /** The size of a file, if known. */
  readonly size?: number | undefined;
  readonly modifiedAt?: string | undefined;
}

/** The conflict of an entry whose name is taken in a directory, possibly of another drive. */
export function conflictIn({ drive, directory }: DirectoryPlace, entry: ConflictingEntry): NameConflict {
  const { id, driveId, filename, directory: isDirectory, size, modifiedAt } = entry;
  return { id, ownDrive: driveId, name: filename, drive, directory, isDirectory, size, modifiedAt };
}

interface ConflictingEntry {
  readonly id: number;
  readonly driveId: number;
  readonly filename: string;
  readonly directory: boolean;
  readonly size: number;
  readonly modifiedAt?: string;
}

export interface ConflictAnswer {
  readonly decision: ConflictDecision;
  /** Whether it also applies to later conflicts of the same action. */
  readonly isForAll: boolean;
}

/**
 * The conflicts that an answer decides: only this one; this one and, if the user wants it, the later ones; or
 * all taken names of an archive together.
 */
export type ConflictScope = 'one' | 'several' | 'archive';

export interface ConflictQuestion {
  readonly id: number;
  readonly conflict: NameConflict;
  readonly scope: ConflictScope;
  readonly answer: (answer: ConflictAnswer) => void;
}

// Questions are asked one after another, whichever part of the page asks them.

let questions: readonly ConflictQuestion[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** For `useSyncExternalStore`. */
export function onQuestionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The question that is shown now. */
export function currentQuestion(): ConflictQuestion | undefined {
  return questions[0];
}

/** Asks the user. Resolves with the answer. */
export function askAboutConflict(conflict: NameConflict, scope: ConflictScope): Promise<ConflictAnswer> {
  return new Promise((resolve) => {
    const id = ++lastId;
    const answer = (reply: ConflictAnswer) => {
      change(questions.filter((question) => question.id !== id));
      resolve(reply);
    };
    change([...questions, { id, conflict, scope, answer }]);
  });
}

function change(next: readonly ConflictQuestion[]): void {
  questions = next;
  for (const listener of listeners) listener();
}
