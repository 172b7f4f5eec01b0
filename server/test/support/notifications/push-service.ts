import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { after } from 'node:test';
import { waitUntil } from '../../../../tools/testing/wait-until.ts';
import type { PushNetwork } from '../../../src/notifications/push/push.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '../mail/certificate.ts';

/** A push message as the service received it. */
export interface ReceivedPush {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** What a browser shows. */
export interface ShownPush {
  readonly id: number;
  readonly kind: string;
  readonly title: string;
  readonly text: string;
  readonly url: string;
}

/** A push service at a loopback address, which keeps what it receives. */
export class TestPushService {
  readonly messages: ReceivedPush[] = [];
  /** Decides about a message; the default is that it is accepted. */
  answer: (push: ReceivedPush) => Promise<number> | number = () => 201;
  /** The headers of every answer. */
  answerHeaders: Readonly<Record<string, string>> = {};
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<TestPushService> {
    const server = createServer({ key: TEST_KEY, cert: TEST_CERTIFICATE });
    const service = new TestPushService(server);
    server.on('request', async (request, response) => {
      const push = { path: request.url ?? '', headers: request.headers, body: await buffer(request) };
      service.messages.push(push);
      const status = await service.answer(push);
      response.writeHead(status, { 'content-length': 0, ...service.answerHeaders }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    after(() => {
      server.close();
      server.closeAllConnections();
    });
    return service;
  }

  /** Lets a Holdall reach this service. */
  get network(): PushNetwork {
    return { mayReach: (address) => address === '127.0.0.1', ca: TEST_CERTIFICATE };
  }

  get origin(): string {
    const address = this.#server.address();
    const port = address === null || typeof address === 'string' ? 0 : address.port;
    return `https://127.0.0.1:${port}`;
  }

  /** A new browser that is subscribed here. */
  newBrowser(name: string): PushBrowser {
    return new PushBrowser(`${this.origin}/${name}`);
  }

  messagesTo(browser: PushBrowser): readonly ReceivedPush[] {
    return this.messages.filter(({ path }) => browser.endpoint === this.origin + path);
  }

  /** The messages that a browser has received, decrypted. */
  shownBy(browser: PushBrowser): readonly ShownPush[] {
    return this.messagesTo(browser).map(({ body }) => JSON.parse(browser.decrypt(body)));
  }

  /** Waits until the browser has got this many messages. */
  waitForMessages(browser: PushBrowser, count: number): Promise<void> {
    return waitUntil(`${browser.endpoint} has got ${count}`, () => this.messagesTo(browser).length >= count);
  }
}

/** The keys of a browser's subscription. */
export class PushBrowser {
  readonly endpoint: string;
  readonly #keys = createECDH('prime256v1');
  readonly #auth = randomBytes(16);

  constructor(endpoint: string) {
    this.endpoint = endpoint;
    this.#keys.generateKeys();
  }

  /** What the browser tells a page. */
  get subscription() {
    const keys = { p256dh: this.#keys.getPublicKey('base64url'), auth: this.#auth.toString('base64url') };
    return { endpoint: this.endpoint, keys };
  }

  /** Decrypts a message in one record (RFC 8188 and 8291). */
  decrypt(body: Buffer): string {
    const [salt, keyLength] = [body.subarray(0, 16), body[20] ?? 0];
    const senderKey = body.subarray(21, 21 + keyLength);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#keys.getPublicKey(), senderKey]);
    const secret = hkdf(this.#keys.computeSecret(senderKey), this.#auth, info, 32);
    const key = hkdf(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
    const nonce = hkdf(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
    const sealed = body.subarray(21 + keyLength);
    const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    // The last byte that is not zero ends the text.
    return padded.subarray(0, padded.lastIndexOf(2)).toString();
  }
}

function hkdf(secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
}

/** The claims with which a server identifies itself (RFC 8292), and its key; undefined if they are wrong. */
export function readVapid(authorization: string) {
  const [, head = '', claims = '', signature = '', key = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const isRight = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isRight) return undefined;
  const read: { aud: string; sub: string; exp: number } = JSON.parse(
    Buffer.from(claims, 'base64url').toString(),
  );
  return { ...read, key };
}
