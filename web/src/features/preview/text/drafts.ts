// Text that a user has typed in the editor without saving it. It survives a logout, a closed tab and a crash,
// until it is saved or discarded.
import { currentSession } from '../../../api/session.ts';
import { listStored, readStored, writeStored } from '../../../api/stored.ts';

export interface Draft {
  readonly text: string;
  /** The ETag of the content that the user has edited. */
  readonly etag: string | undefined;
  /** Milliseconds since 1970. */
  readonly typedAt: number;
}

const PREFIX = 'holdall.draft.';
/** The maximum number of drafts in one browser. Each takes at most one megabyte. */
const MAX_DRAFTS = 8;

/** The draft of the logged-in user for a file. */
export function readDraft(fileId: number): Draft | undefined {
  const key = keyOf(fileId);
  return key === undefined ? undefined : parse(readStored(key));
}

/** Stores a draft. If there are too many, the first draft of a file replaces the oldest draft. */
export function storeDraft(fileId: number, draft: Draft): void {
  const key = keyOf(fileId);
  if (key === undefined) return;
  // Every keystroke stores the draft. Only the first one adds to the number of drafts.
  if (readStored(key) === undefined) makeRoom();
  writeStored(key, JSON.stringify(draft));
}

export function removeDraft(fileId: number): void {
  const key = keyOf(fileId);
  if (key !== undefined) writeStored(key, undefined);
}

/**
 * Called when the service has stored a text. If the draft differs, the user has typed more since the text was
 * sent. Such a draft is kept, as a change to the stored content.
 */
export function settleDraft(fileId: number, stored: Pick<Draft, 'text' | 'etag'>): void {
  const draft = readDraft(fileId);
  if (draft?.text === stored.text) removeDraft(fileId);
  else if (draft !== undefined) storeDraft(fileId, { ...draft, etag: stored.etag });
}

/** Removes the drafts of all users: another user may use this browser next. */
export function removeAllDrafts(): void {
  for (const key of listStored(PREFIX)) writeStored(key, undefined);
}

function makeRoom(): void {
  const keys = listStored(PREFIX);
  if (keys.length < MAX_DRAFTS) return;
  const ages = keys.map((key) => [parse(readStored(key))?.typedAt ?? 0, key] as const);
  const [oldest] = ages.sort(([a], [b]) => a - b);
  if (oldest !== undefined) writeStored(oldest[1], undefined);
}

function keyOf(fileId: number): string | undefined {
  const userId = currentSession()?.user.id;
  return userId === undefined ? undefined : `${PREFIX}${userId}.${fileId}`;
}

function parse(text: string | undefined): Draft | undefined {
  try {
    // Only `storeDraft` writes these values.
    return text === undefined ? undefined : (JSON.parse(text) as Draft);
  } catch {
    return undefined;
  }
}
