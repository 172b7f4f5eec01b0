import { SaxesParser } from 'saxes';
import { DavError } from '../dav-error.ts';
import type { XmlAttribute, XmlElement } from './element.ts';
import { dav } from './names.ts';

/*
 * XML bodies of requests (RFC 4918, section 8.2 and section 20.6). The parser resolves only XML's five
 * built-in entities. A document type declaration ends the request before any of it is read. Everything that a
 * client can make large is limited: the bytes, the depth, and the number of elements and attributes.
 */

export const MAX_XML_BYTES = 64 * 1_024;
const MAX_DEPTH = 32;
/** The maximum number of elements and attributes in one body. */
const MAX_NODES = 1_000;
/**
 * The maximum number of characters in a name and its namespace. A body declares a namespace once, but every
 * element that we write back declares it again.
 */
const MAX_NAME_LENGTH = 512;

/** @throws DavError 400 for malformed XML, 403 for a document type declaration, 413 for too many elements */
export function parseXml(bytes: Uint8Array, maxNodes = MAX_NODES): XmlElement {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const open: (XmlElement & { readonly children: (XmlElement | string)[] })[] = [];
  let root: XmlElement | undefined;
  let nodes = 0;
  parser.on('error', (error) => {
    throw new DavError(400, `The XML is malformed: ${error.message}`);
  });
  parser.on('doctype', () => {
    throw noEntities();
  });
  parser.on('opentag', ({ uri, local, attributes }) => {
    const list = Object.values(attributes).filter(({ uri: namespace }) => namespace !== XMLNS);
    nodes += 1 + Object.keys(attributes).length;
    checkNames([{ uri, local }, ...list]);
    if (nodes > maxNodes) throw new DavError(413, `The XML has more than ${maxNodes} elements.`);
    if (open.length >= MAX_DEPTH) throw new DavError(400, `The XML is deeper than ${MAX_DEPTH} elements.`);
    const element = { name: { namespace: uri, local }, attributes: list.map(toAttribute), children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  const addText = (text: string) => void open.at(-1)?.children.push(text);
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    root = open.pop();
  });
  parser.write(decode(bytes)).close();
  if (root === undefined) throw new DavError(400, 'The body has no XML element.');
  return root;
}

function checkNames(names: readonly { readonly uri: string; readonly local: string }[]): void {
  if (names.every(({ uri, local }) => uri.length <= MAX_NAME_LENGTH && local.length <= MAX_NAME_LENGTH))
    return;
  throw new DavError(400, `A name or a namespace has more than ${MAX_NAME_LENGTH} characters.`);
}

const XMLNS = 'http://www.w3.org/2000/xmlns/';

function toAttribute({ uri, local, value }: { uri: string; local: string; value: string }): XmlAttribute {
  return { name: { namespace: uri, local }, value };
}

function noEntities(): DavError {
  const message = 'A document type declaration is not accepted.';
  return new DavError(403, message, { name: dav('no-external-entities') });
}

/** The encodings that a declaration may name, besides UTF-8 and UTF-16. ASCII is a subset of UTF-8. */
const DECLARED: Readonly<Record<string, string>> = {
  ...{ 'iso-8859-1': 'latin1', latin1: 'latin1', 'iso-8859-15': 'iso-8859-15' },
  ...{ 'windows-1252': 'windows-1252', cp1252: 'windows-1252' },
};
const DECLARATION = /^<\?xml\s[^>]{0,100}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/;

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark: every XML parser must read both (RFC 4918, section 8.2).
 * Some old clients declare another encoding.
 */
function decode(bytes: Uint8Array): string {
  const encoding = findEncoding(bytes);
  if (encoding === 'latin1') return Buffer.from(bytes).toString('latin1');
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new DavError(400, `The XML is not valid ${encoding.toUpperCase()}.`);
  }
}

/** Detects UTF-16 by the bytes (XML 1.0, appendix F), since some clients declare it but send UTF-8. */
function findEncoding(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 160));
  switch (start.toString('hex', 0, 4)) {
    case '3c003f00':
      return 'utf-16le';
    case '003c003f':
      return 'utf-16be';
  }
  const mark = start.toString('hex', 0, 2);
  if (mark === 'fffe') return 'utf-16le';
  if (mark === 'feff') return 'utf-16be';
  const declared = DECLARATION.exec(start.toString('latin1'))?.[1]?.toLowerCase() ?? '';
  return DECLARED[declared] ?? 'utf-8';
}
