import type { EntryRecord } from '../../../../../client/src/client.ts';
import type { DriveId } from '../../../api/in-drive.ts';
import type { DirectoryPlace } from '../find-entry.ts';

/** The user's decision about an entry whose name is taken. */
export type ConflictDecision = 'keep-both' | 'replace' | 'skip';

/** The content of a folder can also go into the folder that has its name. */
export type FolderDecision = ConflictDecision | 'merge';

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
  /** The entry that has the name, if it was looked up already. */
  readonly existing?: EntryRecord | undefined;
  /** Whether both are folders that can be merged. */
  readonly canMerge?: boolean;
  /** False if the entry that has the name cannot be replaced. */
  readonly canReplace?: boolean;
}

/** A conflict in the list of all. */
export interface ListedConflict extends Omit<NameConflict, 'id'> {
  readonly id: string;
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
  readonly decision: FolderDecision;
  /** The decision about all other conflicts of the same action, also later ones. */
  readonly forAll?: ConflictDecision | undefined;
}

/**
 * The conflicts that an answer decides: only this one; this one and, if the user wants it, the later ones; or
 * all taken names of an archive together. With `list`, all conflicts of the action are shown as one list.
 */
export type ConflictScope = 'one' | 'several' | 'list' | 'archive';

export interface ConflictQuestion {
  readonly id: number;
  readonly conflict: NameConflict;
  readonly scope: ConflictScope;
  /** The action that asks. */
  readonly action: object;
  readonly answer: (answer: ConflictAnswer) => void;
}

// Questions are asked one after another, whichever part of the page asks them. Lists are asked as a whole.

let questions: readonly ConflictQuestion[] = [];
/** Asked since the last notification. One action may find thousands at once. */
const added: ConflictQuestion[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** For `useSyncExternalStore`. */
export function onQuestionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** All open questions. The first one is shown. */
export function openQuestions(): readonly ConflictQuestion[] {
  return questions;
}

/** Answers several questions at once. */
export function answerTogether(answers: ReadonlyMap<ConflictQuestion, ConflictAnswer>): void {
  change(questions.filter((question) => !answers.has(question)));
  for (const [question, answer] of answers) question.answer(answer);
}

/** Asks the user. Resolves with the answer. */
export function askAboutConflict(
  conflict: NameConflict,
  scope: ConflictScope,
  action: object = {},
): Promise<ConflictAnswer> {
  return new Promise((resolve) => {
    const id = ++lastId;
    const answer = (reply: ConflictAnswer) => {
      if (questions.some((question) => question.id === id)) {
        change(questions.filter((question) => question.id !== id));
      }
      resolve(reply);
    };
    added.push({ id, conflict, scope, action, answer });
    if (added.length === 1) requestAnimationFrame(() => change([...questions, ...added.splice(0)]));
  });
}

function change(next: readonly ConflictQuestion[]): void {
  questions = next;
  for (const listener of listeners) listener();
}
