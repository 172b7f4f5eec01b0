import type { Instant } from '../base/clock.ts';

export const FILE_EVENT_TYPES = [
  'CREATED',
  'RENAMED',
  'MOVED',
  'DELETED',
  'RESTORED',
  'PURGED',
  'UPDATED',
] as const;
export type FileEventType = (typeof FILE_EVENT_TYPES)[number];

/** What happened to an entry (specification, "File event"; contract, section 8). */
export interface FileEvent {
  readonly ownerId: number;
  readonly eventType: FileEventType;
  readonly entryId: number;
  readonly fromPath: string | null;
  readonly toPath: string | null;
  /** Names the client that did it, so that it is not told of its own deed. */
  readonly clientId: string | null;
  readonly payload: {
    readonly filename: string;
    readonly path: string;
    readonly directory: boolean;
    readonly size: number;
    readonly contentType: string | null;
  };
}

/** An event as the table has it. */
export interface StoredEvent {
  /** Of the events of one owner, a later one has a greater number. */
  readonly id: number;
  readonly eventType: string;
  readonly entryId: number | null;
  readonly fromPath: string | null;
  readonly toPath: string | null;
  readonly clientId: string | null;
  /** JSON of one line, as `FileEvent` has it. */
  readonly payload: string;
  readonly createdAt: Instant;
}
