/** A call as a row of a table in `docs/api.md` has it. */
export interface Documented {
  readonly method: string;
  /** With the base that the head of its table names. */
  readonly url: string;
  /** Names of members and values that stand in the row, behind the call and before what it gives. */
  readonly takes: readonly string[];
  /** All names that stand anywhere in the section. */
  readonly sectionWords: ReadonlySet<string>;
}

const CALL = /^([A-Z]+)(?: (…?\/?[^ ?]*)(?:\?.*)?)?$/;
const HEAD = /^\| (?:call|request)(?: \(`([^`…]*)…`\))? \|/;

/** Reads the tables whose first column is `call` or `request`; the last column is what the call gives. */
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
  // `GET`, `PUT /address`: the address stands once, with the last.
  const last = named.at(-1)?.url ?? '';
  return named.map(({ method, url = last }) => ({
    method,
    url: url.startsWith('…') ? base + url.slice(1) : url,
    takes,
    sectionWords,
  }));
}

function codeIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** Names of members, such as those of `fileId, path?`; no headers, addresses or sentences. */
function wordsIn(code: string): readonly string[] {
  return code
    .replace(/^\{(.*)\}$/, '$1')
    .split(/[,\s]+/)
    .map((word) => word.replace(/\?$/, ''))
    .filter((word) => /^[A-Za-z_]+$/.test(word));
}
