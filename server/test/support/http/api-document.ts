/** A call as documented in a row of a table in `docs/api.md`. */
export interface Documented {
  readonly method: string;
  /** Complete, including the base in the heading of the table. */
  readonly url: string;
  /** Names of members and values in the columns between the call and its result. */
  readonly takes: readonly string[];
  /** All names in the section of the table. */
  readonly sectionWords: ReadonlySet<string>;
}

const CALL = /^([A-Z]+)(?: (…?\/?[^ ?]*)(?:\?.*)?)?$/;
const HEAD = /^\| (?:call|request)(?: \(`([^`…]*)…`\))? \|/;

/** Reads the tables whose first column is `call` or `request`. The last column is the result. */
export function readApiDocument(text: string): readonly Documented[] {
  return text.split(/^## /m).flatMap((section) => readSection(section));
}

function readSection(section: string): readonly Documented[] {
  const sectionWords = new Set(codeIn(section).flatMap(wordsIn));
  const found: Documented[] = [];
  let base: string | undefined;
  for (const line of section.split('\n')) {
    const head = HEAD.exec(line);
    if (head !== null) base = head[1] ?? '';
    else if (!line.startsWith('|')) base = undefined;
    else if (base !== undefined && !line.startsWith('|--')) found.push(...readRow(line, base, sectionWords));
  }
  return found;
}

function readRow(line: string, base: string, sectionWords: ReadonlySet<string>): readonly Documented[] {
  const [calls = '', ...columns] = line.slice(1, -1).split(/(?<!\\)\|/);
  const takes = codeIn(columns.slice(0, -1).join(' ')).flatMap(wordsIn);
  const named = codeIn(calls).flatMap((code) => {
    const call = CALL.exec(code);
    return call === null ? [] : [{ method: call[1] ?? '', url: call[2] }];
  });
  // Of `GET`, `PUT /url` only the last one has the URL.
  const last = named.at(-1)?.url ?? '';
  return named.map(({ method, url = last }) => ({
    method,
    url: url.startsWith('…') ? base + url.slice(1) : url,
    takes,
    sectionWords,
  }));
}

/** The pieces of code in running text. Leaves out blocks of code. */
function codeIn(text: string): readonly string[] {
  const running = text.replace(/^```[\s\S]*?^```$/gm, '');
  return [...running.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** Names of members, such as those in `fileId, path?` and `drive=all`; no headers, URLs or sentences. */
function wordsIn(code: string): readonly string[] {
  return code
    .replace(/^\{(.*)\}$/, '$1')
    .split(/[,\s]+/)
    .map((word) => word.replace(/^\?/, '').replace(/\?$|=.*$/, ''))
    .filter((word) => /^[A-Za-z_]+$/.test(word));
}
