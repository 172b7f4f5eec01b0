import { Failure } from '../../base/failure.ts';

/** RFC 7578, section 4.4. */
const DEFAULT_CONTENT_TYPE = 'text/plain';

/** The type with which clients send bytes if they do not support file names. */
const BYTES_TYPE = 'application/octet-stream';

const PARAMETER = /;[ \t]*(?:([^\s"=;]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s";]*)))?[ \t]*/y;

/** The head of a part of a form. */
export interface PartHead {
  readonly name: string;
  /** The name as it was sent, which may contain slashes; undefined for a field. */
  readonly fileName: string | undefined;
  readonly isFile: boolean;
  /** Without parameters, in lower case. */
  readonly contentType: string;
  /** The encoding of a text. */
  readonly charset: string;
}

/**
 * Parses the head of a part (RFC 7578, section 4.2), which begins with the rest of its delimiter line.
 * @throws Failure `invalid`
 */
export function parsePartHead(text: string): PartHead {
  const [delimiterEnd = '', ...lines] = text.split('\r\n');
  // RFC 2046, section 5.1.1: blanks may follow the boundary.
  if (delimiterEnd.trim() !== '' || /[\r\n]/.test(lines.join(''))) throw malformed();
  const disposition = findHeader(lines, 'content-disposition');
  const parameters = disposition === undefined ? undefined : parseParameters(disposition);
  const name = parameters?.get('name');
  if (disposition === undefined || !/^form-data[ \t]*(?:;|$)/i.test(disposition) || name === undefined) {
    throw malformed('A part has no name.');
  }
  const type = findHeader(lines, 'content-type') ?? '';
  const contentType = (type.split(';', 1)[0] ?? '').trim().toLowerCase() || DEFAULT_CONTENT_TYPE;
  // Browsers escape a quote like this, and no other character.
  const plain = parameters?.get('filename')?.replaceAll('%22', '"');
  const fileName = decodeExtended(parameters?.get('filename*')) ?? plain;
  return {
    name,
    fileName,
    isFile: fileName !== undefined || contentType === BYTES_TYPE,
    contentType,
    charset: findParameter(type, 'charset') ?? 'utf-8',
  };
}

function findHeader(lines: readonly string[], name: string): string | undefined {
  const prefix = `${name}:`;
  const line = lines.find((each) => each.slice(0, prefix.length).toLowerCase() === prefix);
  return line?.slice(prefix.length).trim();
}

/**
 * The parameters of a header such as `form-data; name="file"; filename="a.txt"`, by their names in lower
 * case. Undefined if they are malformed. If a name occurs twice, the first one counts.
 */
function parseParameters(header: string): ReadonlyMap<string, string> | undefined {
  const parameters = new Map<string, string>();
  const start = header.indexOf(';');
  for (let position = start < 0 ? header.length : start; position < header.length; ) {
    PARAMETER.lastIndex = position;
    const found = PARAMETER.exec(header);
    if (found === null) return undefined;
    position = PARAMETER.lastIndex;
    const [, name, quoted, token = ''] = found;
    const key = name?.toLowerCase();
    if (key === undefined || parameters.has(key)) continue;
    parameters.set(key, quoted === undefined ? token : unquote(quoted));
  }
  return parameters;
}

/** One parameter of the header; undefined if it is absent or the header is malformed. */
export function findParameter(header: string, name: string): string | undefined {
  return parseParameters(header)?.get(name);
}

/**
 * Browsers do not escape a backslash. So it is only removed before a quote or another backslash.
 */
function unquote(text: string): string {
  return text.includes('\\') ? text.replace(/\\(["\\])/g, '$1') : text;
}

/**
 * Decodes `UTF-8''a%20b` (RFC 8187), or the same in ISO-8859-1 (RFC 5987). RFC 7578 disallows such names, but
 * some libraries send them, and replace the characters in the plain name.
 */
function decodeExtended(value: string | undefined): string | undefined {
  const [, charset, encoded] = /^(utf-8|iso-8859-1)'[^']*'(.*)$/i.exec(value ?? '') ?? [];
  if (charset === undefined || encoded === undefined) return undefined;
  try {
    return /^utf-8$/i.test(charset) ? decodeURIComponent(encoded) : unescape(encoded);
  } catch {
    return undefined;
  }
}

export function malformed(detail = '', cause?: unknown): Failure {
  return new Failure('invalid', `The form is malformed. ${detail}`.trimEnd(), { cause });
}
