import type { XmlElement } from './element.ts';
import { DAV, OWNCLOUD, XML, type XmlName } from './names.ts';

/** Characters that XML 1.0 cannot express, not even as references (section 2.2), and lone surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for control characters.
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu;

/** Unless it is written as a reference, a carriage return would be read as a line feed (section 2.11). */
const ESCAPED = /[&<>"\r\n\t]/g;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/**
 * Matches every character that the two expressions above may change. Most texts have none, and this test is
 * much faster.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for control characters.
const SUSPICIOUS = /[\0-\x1f&<>"\ud800-\udfff\ufffe\uffff]/;

/** Escapes text for the content of elements and for attributes in double quotes. */
export function escapeXml(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  return text.replace(NOT_XML, '\ufffd').replace(ESCAPED, (character) => REFERENCES[character] ?? character);
}

/** The prefixes that {@link DECLARED_PREFIXES} declares. */
const PREFIXES: Readonly<Record<string, string>> = { [DAV]: 'D', [OWNCLOUD]: 'oc' };

export const XML_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n';

/** The namespace declarations on the root element of every body that we write. */
export const DECLARED_PREFIXES = `xmlns:D="${DAV}" xmlns:oc="${OWNCLOUD}"`;

/**
 * An element whose content is already XML. A namespace other than the declared ones is declared on the
 * element.
 */
export function element(name: XmlName, content = ''): string {
  const { tag, declaration } = tagOf(name);
  return content === '' ? `<${tag}${declaration}/>` : `<${tag}${declaration}>${content}</${tag}>`;
}

/** The tags of an element that is written many times. */
export interface Tags {
  readonly open: string;
  readonly close: string;
  /** The whole element if it has no content. */
  readonly empty: string;
}

export function tagsOf(name: XmlName): Tags {
  const { tag, declaration } = tagOf(name);
  return { open: `<${tag}${declaration}>`, close: `</${tag}>`, empty: element(name) };
}

/**
 * Writes an element from a request back to XML, so that every name keeps its namespace wherever the element
 * is placed.
 */
export function serialize({ name, attributes, children }: XmlElement): string {
  const { tag, declaration } = tagOf(name);
  let head = `${tag}${declaration}`;
  for (const [index, attribute] of attributes.entries()) {
    const { namespace, local } = attribute.name;
    const value = escapeXml(attribute.value);
    if (namespace === '') head += ` ${local}="${value}"`;
    else if (namespace === XML) head += ` xml:${local}="${value}"`;
    else head += ` xmlns:a${index}="${escapeXml(namespace)}" a${index}:${local}="${value}"`;
  }
  const content = children.map((child) => (typeof child === 'string' ? escapeXml(child) : serialize(child)));
  return content.length === 0 ? `<${head}/>` : `<${head}>${content.join('')}</${tag}>`;
}

function tagOf({ namespace, local }: XmlName): { tag: string; declaration: string } {
  const prefix = PREFIXES[namespace];
  if (prefix !== undefined) return { tag: `${prefix}:${local}`, declaration: '' };
  // We never declare a default namespace, so a name without a namespace needs no declaration.
  if (namespace === '') return { tag: local, declaration: '' };
  return { tag: `x:${local}`, declaration: ` xmlns:x="${escapeXml(namespace)}"` };
}
