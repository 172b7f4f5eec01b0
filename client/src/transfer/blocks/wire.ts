// The messages between the two pages. The bytes of a block follow its `block` message as binary messages.

interface Numbered {
  /** Incremented by the receiver with each `want`: bytes sent for an older request are ignored. */
  readonly epoch: number;
  /** A step of the plan that both sides derive from the announced sizes. */
  readonly step: number;
}

export type BlockMessage =
  /** Receiver: resume from this step. */
  | ({ readonly type: 'want' } & Numbered)
  /** Receiver: everything before this step is checked and written. */
  | { readonly type: 'have'; readonly step: number }
  /** Receiver: all files are complete. */
  | { readonly type: 'done' }
  | ({ readonly type: 'block'; readonly sha256: string } & Numbered)
  | ({ readonly type: 'end'; readonly sha256: string } & Numbered)
  /** Sender: everything before this step was sent; did it arrive? */
  | { readonly type: 'ask'; readonly step: number }
  /** Either side: the transfer cannot continue. */
  | { readonly type: 'failed'; readonly reason: string }
  /** Sender: the session is about to expire; use this one from now on. */
  | { readonly type: 'meet'; readonly sessionId: string };

const DIGEST = /^[0-9a-f]{64}$/;
/** Validated strictly, because it becomes a part of a URL. */
const SESSION_ID = /^[0-9a-f-]{36}$/;

export function encodeMessage(message: BlockMessage): string {
  return JSON.stringify(message);
}

/** Undefined if it is not a message: the other page may be of another version, or not be ours. */
export function decodeMessage(text: string): BlockMessage | undefined {
  const read = parse(text);
  if (read === undefined) return undefined;
  const { type, epoch, step, sha256, reason, sessionId } = read;
  if (type === 'done') return { type };
  if (type === 'failed') return typeof reason === 'string' ? { type, reason } : undefined;
  if (type === 'meet')
    return typeof sessionId === 'string' && SESSION_ID.test(sessionId) ? { type, sessionId } : undefined;
  if (!isCount(step)) return undefined;
  if (type === 'have' || type === 'ask') return { type, step };
  if (!isCount(epoch)) return undefined;
  if (type === 'want') return { type, epoch, step };
  if (type !== 'block' && type !== 'end') return undefined;
  return typeof sha256 === 'string' && DIGEST.test(sha256) ? { type, epoch, step, sha256 } : undefined;
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(text);
    // Every member is checked.
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
