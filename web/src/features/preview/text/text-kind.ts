import type { EntryRecord } from '../../../../../client/src/client.ts';

/** The ways to show text besides its source. */
export type TextKind = 'markdown' | 'table' | 'code' | 'plain';

/** A table shows at most so many rows. */
export const MAX_ROWS = 1_000;

const TABLE_ENDINGS = ['csv', 'tsv'];
const MARKDOWN_ENDINGS = ['md', 'markdown'];
const PROSE_ENDINGS = [...MARKDOWN_ENDINGS, 'txt', 'text', 'rst', 'adoc', 'org', 'tex', 'readme', 'license'];

/** The highlighter's language for each file extension. */
const LANGUAGES = new Map(
  Object.entries({
    ...{ ts: 'typescript', mts: 'typescript', cts: 'typescript', tsx: 'typescript', js: 'javascript' },
    ...{
      mjs: 'javascript',
      cjs: 'javascript',
      jsx: 'javascript',
      json: 'json',
      json5: 'json',
      jsonl: 'json',
    },
    ...{
      html: 'xml',
      htm: 'xml',
      xml: 'xml',
      svg: 'xml',
      vue: 'xml',
      css: 'css',
      scss: 'scss',
      less: 'less',
    },
    ...{ c: 'c', h: 'c', cc: 'cpp', cpp: 'cpp', hpp: 'cpp', cs: 'csharp', java: 'java', kt: 'kotlin' },
    ...{ go: 'go', rs: 'rust', rb: 'ruby', py: 'python', pl: 'perl', lua: 'lua', r: 'r', swift: 'swift' },
    ...{ php: 'php', sh: 'bash', bash: 'bash', zsh: 'bash', sql: 'sql', graphql: 'graphql', yaml: 'yaml' },
    ...{ yml: 'yaml', toml: 'ini', ini: 'ini', cfg: 'ini', properties: 'ini', diff: 'diff', patch: 'diff' },
    ...{ makefile: 'makefile', gradle: 'kotlin' },
  }),
);

export function textKindOf({ filename }: Pick<EntryRecord, 'filename'>): TextKind {
  const ending = endingOf(filename);
  if (MARKDOWN_ENDINGS.includes(ending)) return 'markdown';
  if (TABLE_ENDINGS.includes(ending)) return 'table';
  return languageOf({ filename }) === undefined ? 'plain' : 'code';
}

/** Whether a text consists of sentences, whose long lines are wrapped. */
export function isProse({ filename }: Pick<EntryRecord, 'filename'>): boolean {
  return PROSE_ENDINGS.includes(endingOf(filename));
}

/** The language for the highlighter; undefined for text that is not code. */
export function languageOf({ filename }: Pick<EntryRecord, 'filename'>): string | undefined {
  return LANGUAGES.get(endingOf(filename));
}

/** The extension, or the whole name of a file without one. */
function endingOf(filename: string): string {
  return filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
}
