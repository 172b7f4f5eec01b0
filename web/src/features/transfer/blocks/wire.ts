// What the two pages say to each other on a line. Bytes of a block follow its `block` as binary messages.

interface Numbered {
  /** Counted up by the receiver with each `want`: what was sent for an older one is not for now. */
  readonly epoch: number;
  /** Of the plan that both have made of the announced sizes. */
  readonly step: number;
}

export type Word =
  /** Receiver: go on from this step. */
  | ({ readonly type: 'want' } & Numbered)
  /** Receiver: all before this step is checked and written. */
  | { readonly type: 'have'; readonly step: number }
  /** Receiver: everything is. */
  | { readonly type: 'done' }
  | ({ readonly type: 'block'; readonly sha256: string } & Numbered)
  | ({ readonly type: 'end'; readonly sha256: string } & Numbered)
  /** Sender: all before this step is sent; has it come? */
  | { readonly type: 'ask'; readonly step: number }
  /** Either: it cannot go on. */
  | { readonly type: 'failed'; readonly reason: string }
  /** Sender: the service forgets where we met; find me there from now on. */
  | { readonly type: 'meet'; readonly sessionId: string };

const DIGEST = /^[0-9a-f]{64}$/;

export function writeWord(word: Word): string {
  return JSON.stringify(word);
}

/** Undefined for what is none: the other page may be of another version, or not ours at all. */
export function readWord(text: string): Word | undefined {
  const read = parse(text);
  if (read === undefined) return undefined;
  const { type, epoch, step, sha256, reason, sessionId } = read;
  if (type === 'done') return { type };
  if (type === 'failed') return typeof reason === 'string' ? { type, reason } : undefined;
  if (type === 'meet') return typeof sessionId === 'string' ? { type, sessionId } : undefined;
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
    // What is in it is looked at member by member.
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
