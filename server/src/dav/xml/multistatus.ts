import { STATUS_CODES } from 'node:http';
import type { Condition } from '../dav-error.ts';
import { dav } from './names.ts';
import { DECLARED_PREFIXES, element, escapeXml, XML_DECLARATION } from './write-xml.ts';

/** The start and the end of a `multistatus` body (RFC 4918, section 13). */
export const MULTISTATUS_START = `${XML_DECLARATION}<D:multistatus ${DECLARED_PREFIXES}>\n`;
export const MULTISTATUS_END = '</D:multistatus>\n';

/** Properties that share one status (section 14.22). `properties` is already XML. */
export function propstat(status: number, properties: string, condition?: Condition): string {
  if (properties === '') return '';
  const error = condition === undefined ? '' : `<D:error>${conditionElement(condition)}</D:error>`;
  return `<D:propstat><D:prop>${properties}</D:prop>${statusElement(status)}${error}</D:propstat>`;
}

/** Section 14.24. */
export function response(href: string, content: string): string {
  return `<D:response><D:href>${escapeXml(href)}</D:href>${content}</D:response>\n`;
}

export function statusElement(status: number): string {
  return `<D:status>HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}</D:status>`;
}

/** The body of an error (section 16). */
export function errorBody(condition: Condition): string {
  return `${XML_DECLARATION}<D:error ${DECLARED_PREFIXES}>${conditionElement(condition)}</D:error>\n`;
}

/** The body of an error for which RFC 4918 has no condition, with a message for people. */
export function messageBody(message: string): string {
  const content = element({ namespace: 'urn:holdall', local: 'message' }, escapeXml(message));
  return `${XML_DECLARATION}<D:error ${DECLARED_PREFIXES}>${content}</D:error>\n`;
}

function conditionElement({ name, hrefs = [] }: Condition): string {
  return element(name, hrefs.map((href) => element(dav('href'), escapeXml(href))).join(''));
}
