import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import { toDecoder } from '../encoding.ts';
import { NoText } from '../no-text.ts';

/** Deeper than the elements of any real document. */
const MAX_DEPTH = 1_000;

/** Names have no prefix, because programs choose different prefixes for the same namespace. */
export interface XmlReader {
  /** Whether the Latin letters and signs of HTML have names, as some programs assume. */
  readonly hasHtmlEntities?: boolean;
  readonly onOpen?: (name: string, attributes: XmlAttributes) => void;
  readonly onClose?: (name: string) => void;
  readonly onText?: (text: string) => void;
}

export class XmlAttributes {
  readonly #values: Readonly<Record<string, string>>;

  constructor(values: Readonly<Record<string, string>>) {
    this.#values = values;
  }

  /** The attribute with this name and no prefix. */
  get(name: string): string | undefined {
    return this.#values[name];
  }

  /** The attribute with this name and any prefix. */
  getPrefixed(name: string): string | undefined {
    const found = Object.keys(this.#values).find((each) => each.endsWith(`:${name}`));
    return found === undefined ? undefined : this.#values[found];
  }
}

/** The names of U+00A0 to U+00FF in HTML. */
const LATIN_NAMES =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring ' +
  'AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml ' +
  'times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil ' +
  'egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ' +
  'ugrave uacute ucirc uuml yacute thorn yuml';
const HTML_ENTITIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(LATIN_NAMES.split(' ').map((name, at) => [name, String.fromCharCode(0xa0 + at)])),
  ...{ ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', bdquo: '„', hellip: '…' },
};

/**
 * Reads XML as it arrives. Only entities of single characters are resolved, so nothing is fetched and no text
 * is multiplied.
 * @throws NoText for malformed and for very deep XML; whatever the reader throws
 */
export async function readXml(chunks: AsyncIterable<Uint8Array>, reader: XmlReader): Promise<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  if (reader.hasHtmlEntities === true) Object.assign(parser.ENTITIES, HTML_ENTITIES);
  let depth = 0;
  parser.on('error', (error) => {
    throw new NoText('damaged', `The XML is malformed: ${error.message}`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new NoText('over-limit', `The XML is deeper than ${MAX_DEPTH} elements.`);
    reader.onOpen?.(localOf(name), new XmlAttributes(attributes));
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    reader.onClose?.(localOf(name));
  });
  const onText = (text: string) => reader.onText?.(text);
  parser.on('text', onText);
  parser.on('cdata', onText);
  let decoder: TextDecoder | undefined;
  for await (const chunk of chunks) {
    decoder ??= decoderFor(chunk);
    parser.write(decoder.decode(chunk, { stream: true }));
  }
  if (decoder !== undefined) parser.write(decoder.decode()).close();
}

function localOf(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

const DECLARATION = /^<\?xml\s[^>]{0,100}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/;

/** UTF-16 by its mark or the zero bytes, otherwise the declared encoding. */
function decoderFor(chunk: Uint8Array): TextDecoder {
  const start = Buffer.from(chunk.subarray(0, 160));
  if (/^(?:fffe|3c00)/.test(start.toString('hex'))) return new TextDecoder('utf-16le');
  if (/^(?:feff|003c)/.test(start.toString('hex'))) return new TextDecoder('utf-16be');
  const declared = DECLARATION.exec(start.toString('latin1'))?.[1];
  const decoder = declared === undefined ? undefined : toDecoder(declared);
  return decoder?.encoding.startsWith('utf-16') === false ? decoder : new TextDecoder();
}
