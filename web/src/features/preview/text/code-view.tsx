/** @jsxImportSource react */
// React's own JSX runtime: ours would alter direction marks, but the text of a file is shown unchanged.
import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { common, createLowlight } from 'lowlight';
import { useMemo } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { numberLines } from './number-lines.ts';
import classes from './text.module.css';

const lowlight = createLowlight(common);

/** Source code with syntax highlighting and line numbers. The text is never interpreted as HTML. */
export function CodeView({ text, language }: { readonly text: string; readonly language: string }) {
  const content = useMemo(() => {
    if (!lowlight.registered(language)) return text;
    const tree = lowlight.highlight(language, text);
    return toJsxRuntime(numberLines(tree, classes.lineStart), { Fragment, jsx, jsxs });
  }, [text, language]);
  return <pre className={`${classes.code} ${classes.lines}`}>{content}</pre>;
}
