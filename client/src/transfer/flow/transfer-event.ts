/** What a person needs to receive a transfer. */
export interface TransferCode {
  readonly mode: 'ONLINE' | 'OFFLINE';
  readonly pickupCode: string;
  /** In its canonical form; undefined for a transfer that is not encrypted. */
  readonly secret: string | undefined;
  /** In ISO 8601 format. */
  readonly expiresAt: string;
}

/** The events of a transfer, for the user interface. */
export type TransferEvent =
  /** The sender can pass the code on. It comes again with another code if the files are stored after all. */
  | ({ readonly type: 'code' } & TransferCode)
  /**
   * The name that the other side claims to have. It comes through the service and proves nothing.
   */
  | { readonly type: 'peer'; readonly name: string }
  /**
   * There is a direct connection. Without a secret, it has four words, which are the same on both sides if no
   * one is in between.
   */
  | { readonly type: 'connected'; readonly words: readonly string[] | undefined }
  /** Sender: the receiver has left. The code can be used again. */
  | { readonly type: 'left' }
  /** The connection broke. Both sides try to connect again. */
  | { readonly type: 'interrupted' }
  /** There is no direct connection yet. Both sides keep trying. */
  | { readonly type: 'stuck' }
  /** The sender stores the files on the service. The receiver downloads the rest from there. */
  | { readonly type: 'storing' };

/** Why a transfer ended before it was complete. */
export type EndReason =
  /** The other side has given up. */
  | 'cancelled'
  /** No one joined in time. */
  | 'expired'
  /** The other side is gone. */
  | 'gone'
  /** Someone else is receiving it. */
  | 'taken';

const SENTENCES: Readonly<Record<EndReason, string>> = {
  cancelled: 'The other side has cancelled the transfer.',
  expired: 'Nobody has entered the code in time.',
  gone: 'The other side is not there any more.',
  taken: 'Somebody else is receiving this transfer already.',
};

/** A transfer ended before it was complete. */
export class TransferEnded extends Error {
  readonly reason: EndReason;

  constructor(reason: EndReason) {
    super(SENTENCES[reason]);
    this.name = 'TransferEnded';
    this.reason = reason;
  }
}
