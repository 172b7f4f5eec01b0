// What the readers of OpenDocument files share (OASIS ODF 1.3).
import { DocumentError } from './frame.ts';
import { isXml, type Package } from './open-package.ts';

const NAMES = 'urn:oasis:names:tc:opendocument:xmlns:';
const COMPATIBLE = `${NAMES}xsl-fo-compatible:1.0`;

export const NS = {
  office: `${NAMES}office:1.0`,
  text: `${NAMES}text:1.0`,
  table: `${NAMES}table:1.0`,
  draw: `${NAMES}drawing:1.0`,
  presentation: `${NAMES}presentation:1.0`,
  style: `${NAMES}style:1.0`,
  fo: COMPATIBLE,
  svg: `${NAMES}svg-compatible:1.0`,
  xlink: 'http://www.w3.org/1999/xlink',
} as const;

/** An XML file of a package. Files without an XML name have bypassed the limits for XML. @throws DocumentError */
export function parsePart(files: Package, name: string): Document {
  const file = files.get(name);
  if (file === undefined || !isXml(name)) throw new DocumentError('damaged');
  const xml = new DOMParser().parseFromString(new TextDecoder().decode(file), 'text/xml');
  if (xml.querySelector('parsererror') !== null) throw new DocumentError('damaged');
  return xml;
}

/** How often an element is repeated. A small file can claim millions. */
export function countOf(element: Element, name: string, most: number): number {
  const count = Number(element.getAttributeNS(NS.table, name) ?? 1);
  return Number.isInteger(count) && count > 0 ? Math.min(count, most) : 1;
}
