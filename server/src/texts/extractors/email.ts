import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { decodePlainText } from '../encoding.ts';
import { collectHtml, collectMarkup } from '../html.ts';
import { NoText } from '../no-text.ts';
import type { TextCollector } from '../text-collector.ts';

/** Messages in messages are read to this depth. */
const MAX_MESSAGE_DEPTH = 1;
const MAX_PART_DEPTH = 50;
/** Each repair searches the whole body. */
const MAX_REPAIRED_PARTS = 100;
const TEXT_TYPES = /^(?:text\/|application\/(?:json|xml|ics)$)/;

/** Between two messages in a mailbox file. It contains a time, unlike a sentence that begins like this. */
const MAILBOX_SEPARATOR = /(?<=\n\r?\n)From [^\n]{1,300}\d\d:\d\d[^\n]{0,100}\n/g;
const MAILBOX_START = /^>?From [^\n]*\n/;
const MAX_LINE_BYTES = 1_000;

/** Takes the text from a message, or from the messages in a mailbox file. */
export async function extractEmail(
  bytes: Buffer,
  out: TextCollector,
  isTimeUp: () => boolean,
): Promise<void> {
  let failure: unknown;
  for (const message of messagesIn(bytes)) {
    if (isTimeUp()) break;
    try {
      await collectMessage(message, out);
    } catch (error) {
      if (!(error instanceof NoText)) throw error;
      failure ??= error;
    }
  }
  if (failure !== undefined && out.isEmpty) throw failure;
}

function* messagesIn(bytes: Buffer): Generator<Buffer> {
  let start = MAILBOX_START.exec(bytes.toString('latin1', 0, MAX_LINE_BYTES))?.[0].length ?? 0;
  if (start > 0) {
    for (const { 0: separator, index } of bytes.toString('latin1').matchAll(MAILBOX_SEPARATOR)) {
      yield bytes.subarray(start, index);
      start = index + separator.length;
    }
  }
  yield bytes.subarray(start);
}

/** Takes the subject, people and text from a message, and the names and texts of its attachments. */
async function collectMessage(bytes: Buffer, out: TextCollector): Promise<void> {
  const { message, parts } = await parse(bytes);
  for (const line of [message.subject, ...peopleOf(message)]) addLine(out, line);
  if (message.text?.trim()) addLine(out, await withoutErrors(message.text, parts));
  else collectMarkup(await withoutErrors(message.html ?? '', parts), out);
  const charsets = new Map(parts.map((part) => [part.content, charsetOf(part)]));
  for (const attachment of message.attachments) await collectAttachment(attachment, charsets, out);
  out.publish();
}

/** A part of a message without parts of its own. */
interface Part {
  readonly content: ArrayBuffer | null;
  readonly contentType: { readonly parsed: { readonly params: { readonly charset?: string } } };
  getTextContent(): string;
}

interface PartNode extends Part {
  readonly childNodes: readonly PartNode[];
}

interface ParsedMessage {
  readonly message: Email;
  /** Without the parts of a message in the message. */
  readonly parts: readonly Part[];
}

async function parse(bytes: Buffer): Promise<ParsedMessage> {
  const parser = new PostalMime({
    maxNestingDepth: MAX_PART_DEPTH,
    maxRfc822NestingDepth: MAX_MESSAGE_DEPTH,
  });
  try {
    const message = await parser.parse(bytes);
    // Undocumented, but only here are the bytes and charsets of the parts.
    return { message, parts: leavesOf(Reflect.get(parser, 'root')) };
  } catch (error) {
    throw new NoText('damaged', 'The message is damaged.', { cause: error });
  }
}

function leavesOf(node: PartNode): readonly Part[] {
  return node.childNodes.length === 0 ? [node] : node.childNodes.flatMap(leavesOf);
}

/** Old messages do not declare their encoding, and the library takes it for UTF-8. */
async function withoutErrors(body: string, parts: readonly Part[]): Promise<string> {
  if (!body.includes('\ufffd')) return body;
  let repaired = body;
  for (const part of parts.slice(0, MAX_REPAIRED_PARTS)) {
    const wrong = part.getTextContent();
    if (part.content === null || !wrong.includes('\ufffd')) continue;
    const right = await decodePlainText(Buffer.from(part.content), { declared: charsetOf(part) });
    repaired = repaired.replace(wrong, () => right);
  }
  return repaired;
}

function charsetOf(part: Part): string | undefined {
  return part.contentType.parsed.params.charset;
}

function peopleOf({ from, to = [], cc = [], bcc = [] }: Email): readonly string[] {
  return [...(from === undefined ? [] : [from]), ...to, ...cc, ...bcc].map(showAddress);
}

function showAddress({ name, address = '', group = [] }: Address): string {
  return [name, address, ...group.map(showAddress)].join(' ');
}

async function collectAttachment(
  { filename, mimeType, content }: Attachment,
  charsets: ReadonlyMap<unknown, string | undefined>,
  out: TextCollector,
): Promise<void> {
  addLine(out, filename ?? undefined);
  if (!TEXT_TYPES.test(mimeType) || typeof content === 'string') return;
  const declared = charsets.get(content);
  const bytes = Buffer.from(content as ArrayBuffer);
  if (mimeType === 'text/html') await collectHtml(bytes, out, declared);
  else addLine(out, await decodePlainText(bytes, { declared }));
}

function addLine(out: TextCollector, text = ''): void {
  out.add(text);
  out.lineBreak();
}
