// The part of WebRTC that direct transfers need. The `RTCPeerConnection` of browsers implements it.

/** An ICE server as `RTCPeerConnection` accepts it. */
export interface IceServer {
  urls: string | string[];
  username?: string;
  credential?: string;
}

/** Opens connections that use these servers. */
export type Connect = (iceServers: IceServer[]) => PeerConnection;

export interface SessionDescription {
  readonly type: 'offer' | 'answer' | 'pranswer' | 'rollback';
  readonly sdp: string;
}

export interface IceCandidate {
  candidate?: string;
  sdpMid?: string | null;
  sdpMLineIndex?: number | null;
  usernameFragment?: string | null;
}

/** Written as a method type, so that listeners for the richer events of browsers are also assignable. */
type Listener<Event> = { handle(event: Event): unknown }['handle'] | null;

export interface PeerConnection {
  /** Such as `connected`, `disconnected`, `failed` or `closed`. */
  readonly connectionState: string;
  readonly localDescription: SessionDescription | null;
  /** The current descriptions belong to the open connection. */
  readonly currentLocalDescription: SessionDescription | null;
  readonly currentRemoteDescription: SessionDescription | null;
  /** Undefined or null before there is a connection. */
  readonly sctp: { readonly maxMessageSize: number } | null;
  onicecandidate: Listener<{ readonly candidate: { toJSON(): IceCandidate } | null }>;
  ondatachannel: Listener<{ readonly channel: DataChannel }>;
  createDataChannel(label: string): DataChannel;
  /** Creates the description that the state of the connection requires. */
  setLocalDescription(): Promise<void>;
  setRemoteDescription(description: SessionDescription): Promise<void>;
  addIceCandidate(candidate: IceCandidate): Promise<void>;
  close(): void;
}

export interface DataChannel {
  binaryType: 'arraybuffer' | 'blob';
  readonly readyState: string;
  readonly bufferedAmount: number;
  bufferedAmountLowThreshold: number;
  onopen: Listener<unknown>;
  onclose: Listener<unknown>;
  onbufferedamountlow: Listener<unknown>;
  /** A text, or an `ArrayBuffer`. */
  onmessage: Listener<{ readonly data: unknown }>;
  send(message: string): void;
  send(message: Uint8Array<ArrayBuffer>): void;
}
