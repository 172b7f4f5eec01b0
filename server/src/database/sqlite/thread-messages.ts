import type { CheckpointMode } from './session.ts';

/** A request from `ThreadedSession` to its thread. The thread answers in the order of the requests. */
export type ThreadRequest =
  | { readonly kind: 'begin'; readonly isReadOnly: boolean }
  | { readonly kind: 'commit' | 'rollback' | 'close' }
  | { readonly kind: 'checkpoint'; readonly mode: CheckpointMode }
  | { readonly kind: 'execute'; readonly sql: string; readonly parameters: readonly unknown[] };

export type ThreadAnswer =
  | { readonly rows: readonly unknown[]; readonly changes: number | undefined }
  | { readonly error: { readonly message: string; readonly code: string | undefined } };
