// WebRTC for Node.js, which does not include it. The program installs the package `node-datachannel` and
// passes it in. Its class follows libdatachannel. This file adapts it to the part of the browser interface
// that transfers need.
import type {
  Connect,
  DataChannel,
  IceCandidate,
  IceServer,
  PeerConnection,
  SessionDescription,
} from '../transfer/connection/peer-connection.ts';

/** The part of the package `node-datachannel` that is used here. */
export interface NodeDataChannel {
  readonly PeerConnection: new (
    name: string,
    configuration: { readonly iceServers: string[]; readonly disableAutoNegotiation: boolean },
  ) => NativeConnection;
}

interface NativeConnection {
  state(): string;
  onStateChange(listener: () => void): void;
  localDescription(): { readonly type: string; readonly sdp: string } | null;
  remoteDescription(): { readonly type: string; readonly sdp: string } | null;
  setLocalDescription(): void;
  setRemoteDescription(sdp: string, type: string): void;
  addRemoteCandidate(candidate: string, mid: string): void;
  createDataChannel(label: string): NativeChannel;
  onLocalCandidate(listener: (candidate: string, mid: string) => void): void;
  onDataChannel(listener: (channel: NativeChannel) => void): void;
  close(): void;
}

interface NativeChannel {
  isOpen(): boolean;
  close(): void;
  bufferedAmount(): number;
  maxMessageSize(): number;
  setBufferedAmountLowThreshold(bytes: number): void;
  sendMessage(text: string): boolean;
  sendMessageBinary(bytes: Uint8Array): boolean;
  onOpen(listener: () => void): void;
  onClosed(listener: () => void): void;
  onBufferedAmountLow(listener: () => void): void;
  onMessage(listener: (message: string | Uint8Array | ArrayBuffer) => void): void;
}

/**
 * Lets `Transfers` open direct connections in Node.js:
 *
 * ```ts
 * import nodeDataChannel from 'node-datachannel';
 * await holdall.transfers.sendDirect(files, { connect: connectWith(nodeDataChannel) });
 * ```
 */
export function connectWith(library: NodeDataChannel): Connect {
  return (iceServers) => {
    const open = (addresses: string[]) =>
      new library.PeerConnection('holdall', { iceServers: addresses, disableAutoNegotiation: true });
    try {
      return new Connection(open(iceServers.flatMap(toAddresses)));
    } catch {
      // The library rejects one of the addresses. Without servers, two computers in one network can still
      // connect.
      return new Connection(open([]));
    }
  };
}

class Connection implements PeerConnection {
  readonly #native: NativeConnection;
  #channel: Channel | undefined;
  /**
   * The description that the other side sent, unchanged: the library keeps only the parts that it
   * understands.
   */
  #remoteDescription: SessionDescription | null = null;
  /**
   * Candidates that were not yet sent to the other side. They wait for its description. If it connected
   * earlier, the library would compare its certificate with a description that it does not have yet, and
   * close the connection.
   */
  readonly #found: IceCandidate[] = [];
  #isClosed = false;
  onicecandidate: PeerConnection['onicecandidate'] = null;
  ondatachannel: PeerConnection['ondatachannel'] = null;

  constructor(native: NativeConnection) {
    this.#native = native;
    // Without a listener, the library would not notice the close, and would keep the process alive.
    native.onStateChange(() => undefined);
    native.onLocalCandidate((line, sdpMid) => {
      this.#found.push({ candidate: line.replace(/^a=/, ''), sdpMid });
      if (this.#remoteDescription !== null) later(() => this.#tellCandidates());
    });
    native.onDataChannel((channel) => {
      const added = this.#add(channel);
      later(() => this.ondatachannel?.({ channel: added }));
    });
  }

  get connectionState(): string {
    return this.#isClosed ? 'closed' : this.#native.state();
  }

  get localDescription(): SessionDescription | null {
    return this.#isClosed ? null : toDescription(this.#native.localDescription());
  }

  get currentLocalDescription(): SessionDescription | null {
    return this.localDescription;
  }

  get currentRemoteDescription(): SessionDescription | null {
    return this.#remoteDescription;
  }

  get sctp(): { readonly maxMessageSize: number } | null {
    return this.#channel === undefined ? null : { maxMessageSize: this.#channel.maxMessageSize };
  }

  createDataChannel(label: string): DataChannel {
    return this.#add(this.#native.createDataChannel(label));
  }

  /** @throws Error if there is nothing to negotiate, because the library would then end the process */
  async setLocalDescription(): Promise<void> {
    const isOfferingChannel = /^m=application /m.test(this.#remoteDescription?.sdp ?? '');
    if (this.#channel === undefined && !isOfferingChannel) throw new Error('There is no data channel.');
    this.#native.setLocalDescription();
  }

  /**
   * @throws Error if there already is one, because a second one would replace the other side's fingerprint
   */
  async setRemoteDescription({ sdp, type }: SessionDescription): Promise<void> {
    if (this.#remoteDescription !== null) throw new Error('The other side is described already.');
    this.#native.setRemoteDescription(String(sdp), String(type));
    this.#remoteDescription = { sdp: String(sdp), type };
    this.#tellCandidates();
  }

  async addIceCandidate({ candidate, sdpMid }: IceCandidate): Promise<void> {
    // An empty candidate means that there are no more.
    if (candidate) this.#native.addRemoteCandidate(String(candidate), String(sdpMid ?? '0'));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#channel?.end();
    this.#native.close();
  }

  #tellCandidates(): void {
    for (const candidate of this.#found.splice(0)) {
      this.onicecandidate?.({ candidate: { toJSON: () => candidate } });
    }
  }

  #add(native: NativeChannel): Channel {
    this.#channel = new Channel(native);
    return this.#channel;
  }
}

class Channel implements DataChannel {
  binaryType: 'arraybuffer' | 'blob' = 'arraybuffer';
  readonly #native: NativeChannel;
  #isEnded = false;
  onopen: DataChannel['onopen'] = null;
  onclose: DataChannel['onclose'] = null;
  onbufferedamountlow: DataChannel['onbufferedamountlow'] = null;
  #onmessage: DataChannel['onmessage'] = null;

  constructor(native: NativeChannel) {
    this.#native = native;
    native.onOpen(() => later(() => this.onopen?.(undefined)));
    native.onClosed(() => {
      later(() => {
        this.#isEnded = true;
        this.onclose?.(undefined);
      });
    });
    native.onBufferedAmountLow(() => later(() => this.onbufferedamountlow?.(undefined)));
  }

  get onmessage(): DataChannel['onmessage'] {
    return this.#onmessage;
  }

  /** The library keeps messages until there is a listener. */
  set onmessage(listener: DataChannel['onmessage']) {
    this.#onmessage = listener;
    if (listener === null) return;
    this.#native.onMessage((message) => {
      const data = typeof message === 'string' ? message : toBuffer(message);
      later(() => {
        if (!this.#isEnded) listener({ data });
      });
    });
  }

  get readyState(): string {
    if (this.#isEnded) return 'closed';
    return this.#native.isOpen() ? 'open' : 'connecting';
  }

  get bufferedAmount(): number {
    return this.#isEnded ? 0 : this.#native.bufferedAmount();
  }

  get bufferedAmountLowThreshold(): number {
    return 0;
  }

  set bufferedAmountLowThreshold(bytes: number) {
    this.#native.setBufferedAmountLowThreshold(bytes);
  }

  get maxMessageSize(): number {
    return this.#isEnded ? 0 : this.#native.maxMessageSize();
  }

  send(message: string | Uint8Array<ArrayBuffer>): void {
    if (typeof message === 'string') this.#native.sendMessage(message);
    else this.#native.sendMessageBinary(message);
  }

  /** The connection is closed on this side. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    // A channel that never opened would keep the process alive.
    this.#native.close();
  }
}

/** Runs work outside the library's listener, because an error thrown there would silently end the process. */
function later(work: () => void): void {
  queueMicrotask(work);
}

/** Removes the candidates from a description, because they are sent one by one. */
function toDescription(found: { readonly type: string; readonly sdp: string } | null) {
  if (found === null) return null;
  const sdp = found.sdp.replaceAll(/^a=(?:candidate:.*|end-of-candidates)\r?\n/gm, '');
  return { type: found.type === 'answer' ? 'answer' : 'offer', sdp } as const;
}

/** Copies the bytes of a message, because the library's array may be part of a larger buffer. */
function toBuffer(message: Uint8Array | ArrayBuffer): ArrayBuffer {
  return message instanceof ArrayBuffer ? message : new Uint8Array(message).buffer;
}

/** Converts a server to the library's format, in which the credentials are part of the address. */
function toAddresses({ urls, username, credential }: IceServer): string[] {
  return [urls].flat().map((url) => {
    const colon = url.indexOf(':');
    if (username === undefined || credential === undefined) return url;
    const [user, password] = [encodeURIComponent(username), encodeURIComponent(credential)];
    return `${url.slice(0, colon)}:${user}:${password}@${url.slice(colon + 1)}`;
  });
}
