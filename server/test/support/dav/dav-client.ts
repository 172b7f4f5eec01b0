import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { after } from 'node:test';
import { childElements, findChild, textOf, type XmlElement } from '../../../src/dav/xml/element.ts';
import { DAV, keyOf } from '../../../src/dav/xml/names.ts';
import { parseXml } from '../../../src/dav/xml/read-xml.ts';
import type { Person } from '../app/person.ts';

export interface DavResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface DavOptions {
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  /** Sends the body without a Content-Length. */
  readonly isChunked?: boolean;
}

/** The properties of a resource by status, and then by `name namespace`. */
export interface Described {
  readonly href: string;
  readonly properties: ReadonlyMap<number, ReadonlyMap<string, XmlElement>>;
}

const agent = new Agent({ keepAlive: true });
after(() => agent.destroy());

/** A WebDAV client that sends addresses exactly as given. */
export class DavClient {
  readonly person: Person;
  readonly #headers: OutgoingHttpHeaders;

  constructor(person: Person, headers: OutgoingHttpHeaders) {
    this.person = person;
    this.#headers = headers;
  }

  get authorization(): string {
    return String(this.#headers.authorization);
  }

  /** A client of the same account at another instance. */
  at(person: Person): DavClient {
    return new DavClient(person, this.#headers);
  }

  with(headers: OutgoingHttpHeaders): DavClient {
    return new DavClient(this.person, { ...this.#headers, ...headers });
  }

  async send(method: string, address: string, options: DavOptions = {}): Promise<DavResponse> {
    const { body, isChunked = false } = options;
    const { hostname, port } = new URL(this.person.url);
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const length = bytes === undefined || isChunked ? {} : { 'content-length': bytes.length };
    const sent = request({
      ...{ agent, method, hostname, port, path: address },
      headers: { ...this.#headers, ...length, ...options.headers },
    });
    if (bytes !== undefined) sent.write(bytes);
    sent.end();
    const [response]: IncomingMessage[] = await once(sent, 'response');
    assert.ok(response !== undefined);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    checkAnswer(method, response, text);
    return { status: response.statusCode ?? 0, headers: response.headers, body: text };
  }

  /** Makes a request that must get this status. */
  async expect(
    status: number,
    method: string,
    address: string,
    options: DavOptions = {},
  ): Promise<DavResponse> {
    const response = await this.send(method, address, options);
    assert.equal(response.status, status, `${method} ${address}: ${response.body}`);
    return response;
  }

  put(address: string, body: string | Uint8Array, headers: OutgoingHttpHeaders = {}): Promise<DavResponse> {
    return this.send('PUT', address, { body, headers });
  }

  async get(address: string): Promise<string> {
    return (await this.expect(200, 'GET', address)).body;
  }

  copy(from: string, to: string, headers: OutgoingHttpHeaders = {}): Promise<DavResponse> {
    return this.send('COPY', from, { headers: { destination: to, ...headers } });
  }

  move(from: string, to: string, headers: OutgoingHttpHeaders = {}): Promise<DavResponse> {
    return this.send('MOVE', from, { headers: { destination: to, ...headers } });
  }

  /** @param body by default one that asks for all properties */
  async propfind(address: string, depth: '0' | '1', body = ''): Promise<readonly Described[]> {
    const response = await this.expect(207, 'PROPFIND', address, { headers: { depth }, body });
    return readMultistatus(response.body);
  }

  /** The names of the members of a directory, decoded. */
  async names(address: string): Promise<readonly string[]> {
    const [, ...members] = await this.propfind(address, '1', named('resourcetype'));
    return members.map(({ href }) => decodeURIComponent(href.replace(/\/$/, '').split('/').at(-1) ?? ''));
  }

  proppatch(address: string, steps: string, headers: OutgoingHttpHeaders = {}): Promise<DavResponse> {
    const body = `<D:propertyupdate xmlns:D="DAV:" xmlns:a="urn:a">${steps}</D:propertyupdate>`;
    return this.send('PROPPATCH', address, { body, headers });
  }

  lock(address: string, options: LockOptions = {}): Promise<DavResponse> {
    const { scope = 'exclusive', headers = {} } = options;
    const body =
      `<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:${scope}/></D:lockscope>` +
      `<D:locktype><D:write/></D:locktype><D:owner>${options.owner ?? 'a test'}</D:owner></D:lockinfo>`;
    return this.send('LOCK', address, { body, headers });
  }

  /** Locks, which must succeed, and returns the token and the `If` header with it. */
  async locked(address: string, options: LockOptions = {}): Promise<{ token: string; if: string }> {
    const response = await this.lock(address, options);
    assert.ok([200, 201].includes(response.status), `LOCK ${address}: ${response.status} ${response.body}`);
    const token = response.headers['lock-token'];
    assert.match(`${token}`, /^<urn:uuid:[0-9a-f-]{36}>$/);
    return { token: `${token}`, if: `(${token})` };
  }
}

interface LockOptions {
  readonly scope?: 'exclusive' | 'shared';
  readonly owner?: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** Checks what every answer must have: the DAV classes, and no envelope for an error. */
function checkAnswer(method: string, { statusCode = 0, headers }: IncomingMessage, body: string): void {
  assert.equal(headers.dav, '1, 2, 3', `${method}: ${statusCode}`);
  if (statusCode < 400 || body === '') return;
  assert.match(headers['content-type'] ?? '', /^application\/xml\b/);
  assert.deepEqual(parseXml(Buffer.from(body)).name, { namespace: DAV, local: 'error' });
}

/** The body of a PROPFIND that asks for properties of `DAV:`. Other elements are inserted as given. */
export function named(...properties: readonly string[]): string {
  const elements = properties.map((property) => (property.startsWith('<') ? property : `<D:${property}/>`));
  return `<D:propfind xmlns:D="DAV:" xmlns:a="urn:a" xmlns:oc="http://owncloud.org/ns"><D:prop>${elements.join('')}</D:prop></D:propfind>`;
}

export function readMultistatus(body: string): readonly Described[] {
  const root = parseXml(Buffer.from(body), Number.POSITIVE_INFINITY);
  assert.deepEqual(root.name, { namespace: DAV, local: 'multistatus' });
  return childElements(root).map((response) => {
    const properties = new Map<number, ReadonlyMap<string, XmlElement>>();
    for (const child of childElements(response)) {
      if (child.name.local !== 'propstat') continue;
      const status = Number(/ (\d{3}) /.exec(textOfChild(child, 'status'))?.[1]);
      const prop = findChild(child, DAV, 'prop');
      assert.ok(prop !== undefined);
      properties.set(
        status,
        new Map(childElements(prop).map((property) => [keyOf(property.name), property])),
      );
    }
    return { href: textOfChild(response, 'href'), properties };
  });
}

/** The text of a property that must be there. */
export function textOfProperty({ href, properties }: Described, name: string, namespace = DAV): string {
  const property = properties.get(200)?.get(`${name} ${namespace}`);
  assert.ok(property !== undefined, `${href} has no ${name}`);
  return textOf(property);
}

export function hasCondition({ body }: DavResponse, name: string): boolean {
  return body !== '' && findChild(parseXml(Buffer.from(body)), DAV, name) !== undefined;
}

/** The addresses in the condition of an error. */
export function hrefsIn({ body }: DavResponse): readonly string[] {
  const [condition] = childElements(parseXml(Buffer.from(body)));
  return condition === undefined ? [] : childElements(condition).map(textOf);
}

function textOfChild(element: XmlElement, local: string): string {
  const child = findChild(element, DAV, local);
  return child === undefined ? '' : textOf(child);
}
