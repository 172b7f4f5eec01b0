import type { EditorView } from '@codemirror/view';
import { Loader } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../../common/timing/lazy-part.ts';
import classes from './editor.module.css';
import { type LineMark, topOfLine } from './line-marks.ts';

const MarkdownView = lazyPart(async () => (await import('../markdown/markdown-view.tsx')).MarkdownView);

/** The preview waits for a pause in typing, because rendering a long text takes as long as some keystrokes. */
const PAUSE_MS = 200;

interface MarkdownBesideProps {
  readonly text: string;
  readonly filename: string;
  /** The editor whose scrolling the preview follows. */
  readonly view: EditorView | undefined;
}

/** The rendered form of a Markdown text while it is edited. */
export function MarkdownBeside({ text, filename, view }: MarkdownBesideProps) {
  const { t } = useTranslation();
  const [shown] = useDebouncedValue(text, PAUSE_MS);
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    const source = view?.scrollDOM;
    if (view === undefined || source === undefined) return;
    const follow = () => {
      if (pane.current !== null) followLine(pane.current, view);
    };
    source.addEventListener('scroll', follow, { passive: true });
    return () => source.removeEventListener('scroll', follow);
  }, [view]);
  return (
    <section
      ref={pane}
      className={classes.preview}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll only what it can focus
      tabIndex={0}
      aria-label={t('editor.previewOf', { name: filename })}
    >
      <Suspense fallback={<Loader color="gray" aria-label={t('preview.loading')} />}>
        <MarkdownView text={shown} />
      </Suspense>
    </section>
  );
}

/** Scrolls the preview to the line that the editor shows first. */
function followLine(pane: HTMLElement, view: EditorView): void {
  const { scrollTop, clientHeight, scrollHeight } = view.scrollDOM;
  if (scrollTop + clientHeight >= scrollHeight - 1) {
    pane.scrollTop = pane.scrollHeight;
    return;
  }
  const block = view.lineBlockAtHeight(view.scrollDOM.getBoundingClientRect().top - view.documentTop);
  const line = view.state.doc.lineAt(block.from).number;
  const origin = pane.getBoundingClientRect().top - pane.scrollTop;
  const marks = Array.from(pane.querySelectorAll<HTMLElement>('[data-line]'), (element): LineMark => {
    return { line: Number(element.dataset.line), top: element.getBoundingClientRect().top - origin };
  });
  pane.scrollTop = topOfLine(marks, line, { line: view.state.doc.lines + 1, top: pane.scrollHeight });
}
