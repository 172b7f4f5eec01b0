import type { Instant } from '../base/clock.ts';

const FILE_EVENT_TYPES = ['CREATED', 'RENAMED', 'MOVED', 'DELETED', 'RESTORED', 'PURGED', 'UPDATED'] as const;
export type FileEventType = (typeof FILE_EVENT_TYPES)[number];

/** A change to an entry. */
export interface FileEvent {
  readonly driveId: number;
  readonly eventType: FileEventType;
  readonly entryId: number;
  readonly fromPath: string | null;
  readonly toPath: string | null;
  /** The client that made the change. The event is not sent to it. */
  readonly clientId: string | null;
  /** The account that made the change; null for the system, and for a visitor of a shared drive. */
  readonly actorId: number | null;
  /** The only account that sees the event; null for everyone who may use the drive. */
  readonly readerId: number | null;
  readonly payload: {
    readonly filename: string;
    readonly path: string;
    readonly directory: boolean;
    readonly size: number;
    readonly contentType: string | null;
    /** The name that the visitor of a folder link gave, or null; undefined for a user of the drive. */
    readonly sender?: string | null;
  };
}

/** Who made a change in a shared drive. Both are null for the system, and in a personal drive. */
export interface EventActor {
  /** Null for a visitor. */
  readonly actorId: number | null;
  /** The name at that time. */
  readonly actorName: string | null;
}

/** A row of the event table. */
export interface StoredEvent extends EventActor {
  /** Among the events of one drive, later ones have greater ids. */
  readonly id: number;
  readonly eventType: string;
  readonly entryId: number | null;
  readonly fromPath: string | null;
  readonly toPath: string | null;
  readonly clientId: string | null;
  /** The payload of the `FileEvent`, as JSON in one line. */
  readonly payload: string;
  readonly createdAt: Instant;
  readonly readerId: number | null;
}

/** An event as it is shown in a drive's history. */
export type PastEvent = Omit<StoredEvent, 'payload' | 'clientId' | 'readerId'>;

/** Whether an account may see the event. */
export function isVisibleTo({ readerId }: StoredEvent, accountId: number): boolean {
  return readerId === null || readerId === accountId;
}
