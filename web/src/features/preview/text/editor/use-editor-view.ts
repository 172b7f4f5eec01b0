import { redoDepth, undoDepth } from '@codemirror/commands';
import { Compartment } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { editorExtensions } from './editor-extensions.ts';
import { useEditorPhrases } from './editor-phrases.ts';
import { loadLanguage } from './load-language.ts';

interface EditorViewOptions {
  readonly filename: string;
  /** The text when the editor opens. */
  readonly start: string;
  /** The id of the element that explains the Tab key. */
  readonly hintId: string;
  readonly onChange: (text: string) => void;
}

/** The editor in a page. It keeps its text and what can be undone until it leaves the page. */
export function useEditorView({ filename, start, hintId, onChange }: EditorViewOptions) {
  const { t } = useTranslation();
  const phrases = useEditorPhrases();
  const [host, setHost] = useState<HTMLElement | null>(null);
  const [view, setView] = useState<EditorView>();
  const [canUndo, setCanUndo] = useState(false);
  const [canRedo, setCanRedo] = useState(false);
  const change = useEffectEvent(onChange);
  const create = useEffectEvent((parent: HTMLElement) => {
    const label = t('preview.editOf', { name: filename });
    const tabIsFree = t('editor.tabIsFree');
    const language = new Compartment();
    const created = new EditorView({
      parent,
      doc: start,
      extensions: [
        editorExtensions({ filename, text: start, label, hintId, phrases, tabIsFree }),
        language.of([]),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) change(state.doc.toString());
          setCanUndo(undoDepth(state) > 0);
          setCanRedo(redoDepth(state) > 0);
        }),
      ],
    });
    void loadLanguage(filename).then((found) => {
      if (found !== undefined) created.dispatch({ effects: language.reconfigure(found) });
    });
    return created;
  });
  useEffect(() => {
    if (host === null) return;
    const created = create(host);
    setView(created);
    created.focus();
    return () => {
      setView(undefined);
      created.destroy();
    };
  }, [host]);
  return { ref: setHost, view, canUndo, canRedo };
}
