// Invisible characters that change the direction of text. They make `invoice\u202efdp.exe` look like
// `invoiceexe.pdf`, and can reorder a sentence that contains the name.

const NAMES: Readonly<Record<string, string>> = {
  '\u061c': 'ALM',
  '\u200e': 'LRM',
  '\u200f': 'RLM',
  '\u202a': 'LRE',
  '\u202b': 'RLE',
  '\u202c': 'PDF',
  '\u202d': 'LRO',
  '\u202e': 'RLO',
  '\u2066': 'LRI',
  '\u2067': 'RLI',
  '\u2068': 'FSI',
  '\u2069': 'PDI',
};

const MARK = /\p{Bidi_Control}/u;
/** A mark, or text that `isolate` has enclosed in marks. */
const ISOLATED_OR_MARK = /\u2068\P{Bidi_Control}*\u2069|\p{Bidi_Control}/gu;
/** Letters of right-to-left scripts. */
const TURNED = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Replaces each mark by its standard abbreviation, such as `⟨RLO⟩`. Isolated text is not changed. */
export function showMarks(text: string): string {
  if (!MARK.test(text)) return text;
  return text.replace(ISOLATED_OR_MARK, (found) => (found.length === 1 ? `⟨${NAMES[found]}⟩` : found));
}

/** Isolates a name for use in a sentence, so that its letters do not reorder the words around it. */
export function isolate(name: string): string {
  const shown = showMarks(name);
  if (!TURNED.test(shown)) return shown;
  return `\u2068${shown.replaceAll(/[\u2068\u2069]/g, '')}\u2069`;
}
