import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  type Command,
  EditorView,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { styleNonce } from '../../../../ui/style-nonce.ts';
import { isProse } from '../text-kind.ts';
import { lineDirections } from './line-directions.ts';

/** How long the Tab key leaves the text after Escape, unless another key is pressed first. */
const FREE_TAB_MS = 60_000;
/** The indentation of files that have none yet. */
const DEFAULT_INDENT = '    ';
const TAB_SIZE = 4;

interface EditorOptions {
  readonly filename: string;
  readonly text: string;
  /** The accessible name of the text. */
  readonly label: string;
  /** The id of the element that explains the Tab key. */
  readonly hintId: string;
  /** The texts of the library, by their English originals. */
  readonly phrases: Readonly<Record<string, string>>;
  /** Announced when the Tab key leaves the text. */
  readonly tabIsFree: string;
}

/** Everything that the editor can do, except the highlighting of a language. */
export function editorExtensions(options: EditorOptions): Extension {
  const { filename, text, label, hintId, phrases, tabIsFree } = options;
  const prose = isProse({ filename });
  const attributes: Record<string, string> = {
    'aria-label': label,
    'aria-describedby': hintId,
    tabindex: '0',
  };
  if (prose)
    Object.assign(attributes, { spellcheck: 'true', autocorrect: 'on', autocapitalize: 'sentences' });
  const freeTab: Command = (view) => {
    view.setTabFocusMode(FREE_TAB_MS);
    view.dispatch({ effects: EditorView.announce.of(tabIsFree) });
    return true;
  };
  return [
    EditorView.cspNonce.of(styleNonce()),
    EditorState.phrases.of(phrases),
    EditorState.tabSize.of(TAB_SIZE),
    indentUnit.of(findIndent(text)),
    EditorView.contentAttributes.of(attributes),
    EditorView.editorAttributes.of({ class: prose ? 'cm-prose' : '' }),
    prose ? EditorView.lineWrapping : [],
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    history(),
    indentOnInput(),
    bracketMatching(),
    syntaxHighlighting(classHighlighter),
    search({ top: true }),
    lineDirections,
    keymap.of([
      ...searchKeymap,
      { key: 'Escape', run: freeTab },
      indentWithTab,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
  ];
}

/** The indentation of the first indented line. */
function findIndent(text: string): string {
  return /^(?:\t| {2,8})(?=\S)/m.exec(text)?.[0] ?? DEFAULT_INDENT;
}
