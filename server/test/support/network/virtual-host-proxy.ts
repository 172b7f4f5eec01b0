import { createHash, createHmac } from 'node:crypto';
import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { mock } from 'node:test';

const DOMAIN = 's3.test';

/**
 * An S3 proxy with a host name for each bucket (`bucket.s3.test`) in front of a store that has buckets in the
 * path. It checks the signature, which covers the host name, and signs the forwarded request again. While it
 * runs, its domain resolves to this machine.
 */
export class VirtualHostProxy {
  readonly hosts = new Set<string>();
  readonly #target: URL;
  readonly #secret: string;
  readonly #server: Server;

  private constructor(target: string, secret: string) {
    this.#target = new URL(target);
    this.#secret = secret;
    this.#server = createServer((incoming, response) => {
      const outgoing = this.#forward(incoming);
      if (outgoing === undefined) {
        response.writeHead(403).end();
        return;
      }
      outgoing.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        pipeline(answer, response, () => {});
      });
      pipeline(incoming, outgoing, () => {});
    });
  }

  static async start(target: string, secret: string): Promise<VirtualHostProxy> {
    const proxy = new VirtualHostProxy(target, secret);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    const { lookup } = dns;
    mock.method(dns, 'lookup', (host: string, ...others: [never, never]) =>
      lookup(host.endsWith(DOMAIN) ? '127.0.0.1' : host, ...others),
    );
    return proxy;
  }

  get endpoint(): string {
    // The address of a TCP server that listens is an object with a port.
    return `http://${DOMAIN}:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    mock.restoreAll();
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  #forward(incoming: IncomingMessage) {
    const { method = '', url = '', headers } = incoming;
    const host = `${headers.host}`;
    this.hosts.add(host.replace(/:\d+$/, ''));
    const signed = readSignature(url, headers.authorization);
    if (signed === undefined || !host.includes(`.${DOMAIN}:`)) return undefined;
    if (this.#sign(method, url, headers, signed) !== signed.signature) return undefined;
    const [bucket] = host.split('.');
    const newHeaders = { ...headers, host: this.#target.host };
    const newUrl = `/${bucket}${url}`;
    const signature = this.#sign(method, newUrl, newHeaders, signed);
    const { authorization } = headers;
    return send(new URL(newUrl.replace(signed.signature, signature), this.#target), {
      method,
      headers: {
        ...newHeaders,
        ...(authorization && { authorization: authorization.replace(signed.signature, signature) }),
      },
    });
  }

  /** Signature version 4, as in Amazon's "Signature calculations for the Authorization header". */
  #sign(method: string, url: string, headers: IncomingMessage['headers'], signed: Signed): string {
    const [path = '', query = ''] = url.split('?');
    const names = query.split('&').filter((each) => each !== '' && !each.startsWith('X-Amz-Signature='));
    const request = [
      method,
      path,
      names
        .map((each) => (each.includes('=') ? each : `${each}=`))
        .toSorted()
        .join('&'),
      ...signed.headers.map((name) => `${name}:${headers[name]}`),
      '',
      signed.headers.join(';'),
      headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD',
    ].join('\n');
    const time = signed.time ?? `${headers['x-amz-date']}`;
    const text = ['AWS4-HMAC-SHA256', time, signed.scope.join('/'), sha256(request)].join('\n');
    const key = signed.scope.reduce<string | Buffer>(
      (secret, word) => createHmac('sha256', secret).update(word).digest(),
      `AWS4${this.#secret}`,
    );
    return createHmac('sha256', key).update(text).digest('hex');
  }
}

interface Signed {
  readonly scope: readonly string[];
  readonly headers: readonly string[];
  readonly signature: string;
  /** The time in the URL; undefined if it is in a header. */
  readonly time: string | undefined;
}

function readSignature(url: string, authorization: string | undefined): Signed | undefined {
  const query = new URL(url, 'http://any').searchParams;
  const found =
    authorization === undefined
      ? [query.get('X-Amz-Credential'), query.get('X-Amz-SignedHeaders'), query.get('X-Amz-Signature')]
      : /Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)/.exec(authorization)?.slice(1);
  const [credential, headers, signature] = found ?? [];
  if (!credential || !headers || !signature) return undefined;
  return {
    scope: credential.split('/').slice(1),
    headers: headers.split(';'),
    signature,
    time: query.get('X-Amz-Date') ?? undefined,
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
