import type { Download, DownloadOptions } from '../../downloads/download.ts';
import type {
  IceServers,
  JoinedTransfer,
  SignalRecord,
  TransferForPeer,
  TransferRecord,
} from '../../generated/records.ts';
import type { CallOptions } from '../../requests/call-options.ts';
import type { InputOf } from '../../requests/operation-types.ts';
import type { RawBody } from '../../shapes/raw-body.ts';

/** One side of a transfer, with the `peerToken` from creating or joining it. */
export interface Peer {
  readonly sessionId: string;
  readonly peerToken: string;
}

/** The calls that sending and receiving need. */
export interface TransferCalls {
  create(
    body: InputOf<'POST /api/transfer/sessions'>['body'],
    options?: CallOptions,
  ): Promise<TransferForPeer>;
  find(pickupCode: string, options?: CallOptions): Promise<TransferRecord>;
  join(sessionId: string, options?: CallOptions): Promise<JoinedTransfer>;
  leave(peer: Peer, options?: CallOptions): Promise<void>;
  end(sessionId: string, peerToken?: string, options?: CallOptions): Promise<void>;
  iceServers(sessionId?: string, options?: CallOptions): Promise<IceServers>;
  signal(peer: Peer, type: string, payload: unknown, options?: CallOptions): Promise<SignalRecord>;
  signalsAfter(
    peer: Peer,
    cursor: number,
    options?: CallOptions,
  ): Promise<{ readonly items: readonly SignalRecord[]; readonly nextCursor: number }>;
  upload(sessionId: string, fileId: string, body: RawBody, options?: CallOptions): Promise<void>;
  open(sessionId: string, fileId: string, options?: DownloadOptions): Promise<Download>;
}
