/** @jsxImportSource react */
// The text of a file is shown as it is.
import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { common, createLowlight } from 'lowlight';
import { useMemo } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import classes from './text.module.css';

const lowlight = createLowlight(common);

/** Source code with coloured words. The text is never interpreted as HTML. */
export function CodeView({ text, language }: { readonly text: string; readonly language: string }) {
  const content = useMemo(() => {
    if (!lowlight.registered(language)) return text;
    return toJsxRuntime(lowlight.highlight(language, text), { Fragment, jsx, jsxs });
  }, [text, language]);
  return <pre className={classes.code}>{content}</pre>;
}
