import { Agent, type IncomingMessage, request as startRequest } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A response other than 200, as an error: the call, the status, and the server's message. */
export class CallFailed extends Error {
  readonly status: number;

  constructor(call: string, status: number, body: string) {
    super(`${call} answered ${status}: ${body.slice(0, 300)}`);
    this.name = 'CallFailed';
    this.status = status;
  }
}

export interface Call {
  readonly method: string;
  /** Path and query, escaped. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: Buffer | Readable;
}

/** Sends calls over keep-alive connections to one origin. */
export class HttpClient {
  readonly #origin: URL;
  readonly #agent: Agent;

  constructor(origin: URL, connections: number) {
    this.#origin = origin;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /**
   * Returns the response, whose body the caller must read.
   * @throws CallFailed for any status but 200
   */
  async open(call: Call): Promise<IncomingMessage> {
    const response = await this.#send(call);
    if (response.statusCode === 200) return response;
    const body = await readAll(response);
    throw new CallFailed(`${call.method} ${call.path}`, response.statusCode ?? 0, body.toString());
  }

  /** Returns the `data` of the response's envelope. */
  async call(call: Call): Promise<unknown> {
    const body = await readAll(await this.open(call));
    const envelope: unknown = JSON.parse(body.toString());
    if (typeof envelope !== 'object' || envelope === null || !('code' in envelope) || envelope.code !== 0) {
      throw new Error(`${call.method} ${call.path} answered no success: ${body.toString().slice(0, 300)}`);
    }
    return 'data' in envelope ? envelope.data : undefined;
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(call: Call): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const options = { method: call.method, headers: { ...call.headers }, agent: this.#agent };
      const outgoing = startRequest(new URL(call.path, this.#origin), options, resolve);
      outgoing.on('error', reject);
      if (call.body === undefined || Buffer.isBuffer(call.body)) outgoing.end(call.body);
      // An error of the connection is reported above; an error of the source must end the request.
      else pipeline(call.body, outgoing).catch((error: unknown) => reject(error));
    });
  }
}

async function readAll(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks);
}
