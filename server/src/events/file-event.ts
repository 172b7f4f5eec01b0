export type FileEventType = 'CREATED' | 'RENAMED' | 'MOVED' | 'DELETED' | 'RESTORED' | 'PURGED' | 'UPDATED';

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
