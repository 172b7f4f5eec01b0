/** @jsxImportSource react */
// React's own JSX runtime: ours would alter direction marks, but the text of a file is shown unchanged.
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../common/timing/lazy-part.ts';
import { MAX_TEXT_BYTES } from './read-text.ts';
import { languageOf, type TextKind } from './text-kind.ts';

const MarkdownView = lazyPart(async () => (await import('./markdown/markdown-view.tsx')).MarkdownView);
const TableView = lazyPart(async () => (await import('./table-view.tsx')).TableView);
const CodeView = lazyPart(async () => (await import('./code-view.tsx')).CodeView);

/** Longer text is shown as source, because rendering it would take too long. */
const MAX_RENDERED: Readonly<Record<TextKind, number>> = {
  markdown: 200_000,
  table: MAX_TEXT_BYTES,
  code: 100_000,
  plain: 0,
};

export function canRender(text: string, kind: TextKind): boolean {
  return text.length <= MAX_RENDERED[kind];
}

interface TextContentProps {
  readonly filename: string;
  readonly text: string;
  readonly kind: TextKind;
}

/** Text, rendered according to its kind or as source. HTML in it is shown as source. */
export function TextContent({ filename, text, kind }: TextContentProps) {
  const { t } = useTranslation();
  if (text === '') return <pre data-unsearched>{t('preview.emptyFile')}</pre>;
  const plain = <pre>{text}</pre>;
  if (!canRender(text, kind)) return plain;
  return <Suspense fallback={plain}>{renderAs(kind)}</Suspense>;

  function renderAs(kind: TextKind) {
    const language = languageOf({ filename });
    if (kind === 'markdown') return <MarkdownView text={text} />;
    if (kind === 'table') return <TableView text={text} />;
    if (kind === 'code' && language !== undefined) return <CodeView text={text} language={language} />;
    return plain;
  }
}
