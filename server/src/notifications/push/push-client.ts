import { type Agent, request } from 'node:https';
import { DAY, SECOND } from '../../base/clock.ts';
import { openPublicAgent, type PushNetwork } from './public-agent.ts';
import { mayReachHost, type PushTarget } from './push-endpoint.ts';
import type { VapidKeys } from './vapid-keys.ts';

/** The limit for a whole attempt. */
const SEND_MS = 10 * SECOND;

/** How long the push service keeps a message for a browser that is not connected. */
const TTL_SECONDS = DAY / SECOND;

/** How soon a message must arrive. Phones let messages that can wait arrive together. */
export type Urgency = 'low' | 'normal' | 'high';

export interface PushMessage {
  readonly payload: string;
  readonly urgency: Urgency;
  /** If the message is sent again, it replaces the former one that the browser has not received. */
  readonly topic: string;
}

interface PushClientOptions {
  readonly network: PushNetwork;
  readonly keys: VapidKeys;
  /** A URL (`https:` or `mailto:`) at which push services reach the operator. */
  readonly subject: string;
  readonly maxConnections: number;
}

/** What a push service answers. */
export interface PushAnswer {
  readonly status: number;
  /** How long it wants not to be asked; undefined if it does not say. */
  readonly retryAfterMs: number | undefined;
}

/** Sends messages to push services, over connections that it keeps until it is closed. */
export class PushClient {
  readonly #options: PushClientOptions;
  readonly #agent: Agent;

  constructor(options: PushClientOptions) {
    this.#options = options;
    this.#agent = openPublicAgent(options.network, options.maxConnections);
  }

  /**
   * Encrypts a message and sends it. Returns the answer, whatever it is.
   * @param signal gives up; the push service may have accepted the message already
   * @throws if there was no answer
   */
  async send(target: PushTarget, message: PushMessage, signal: AbortSignal): Promise<PushAnswer> {
    const url = new URL(target.endpoint);
    if (!mayReachHost(url, this.#options.network.mayReach))
      throw new Error(`${url.host} is not a public address.`);
    const { headers, body } = await this.#encrypt(target, message);
    const end = new AbortController();
    // Covers the lookup, the connection and the answer.
    const timer = setTimeout(() => end.abort(new Error('It took too long.')), SEND_MS);
    try {
      return await this.#post(url, { headers, body, signal: AbortSignal.any([signal, end.signal]) });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes the connections. */
  close(): void {
    this.#agent.destroy();
  }

  async #encrypt(target: PushTarget, { payload, urgency, topic }: PushMessage) {
    // Loaded only when it is needed, because most of its library is for features that are not used.
    const { encryptMessage } = await import('./encrypt-message.ts');
    const { body, headers } = encryptMessage(payload, target, this.#options);
    const more = { 'content-type': 'application/octet-stream', 'content-length': body.length };
    return { headers: { ...headers, ...more, ttl: TTL_SECONDS, urgency, topic }, body };
  }

  /** Does not follow redirects: their target may be an address that must not be reached. */
  #post(
    url: URL,
    {
      headers,
      body,
      signal,
    }: { headers: Record<string, string | number>; body: Buffer; signal: AbortSignal },
  ): Promise<PushAnswer> {
    return new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', agent: this.#agent, headers, signal }, (response) => {
        // Only the status matters. A body could be endless, so a connection with one is not used again.
        if (response.headers['content-length'] === '0') response.resume();
        else response.destroy();
        const { statusCode: status = 0, headers: answered } = response;
        resolve({ status, retryAfterMs: toRetryAfterMs(answered['retry-after']) });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

/** A number of seconds. The other form, a date, is rare, and depends on the clock of the push service. */
function toRetryAfterMs(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) * SECOND : undefined;
}
