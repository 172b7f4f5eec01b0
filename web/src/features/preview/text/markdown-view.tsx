/** @jsxImportSource react */
// React's own JSX runtime: ours would alter direction marks, but the text of a file is shown unchanged.
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import classes from './text.module.css';

/**
 * Renders Markdown as elements and ignores HTML in the file. Nothing in it can run or load anything from
 * elsewhere.
 */
export function MarkdownView({ text }: { readonly text: string }) {
  return (
    <article className={classes.markdown}>
      <Markdown remarkPlugins={[remarkGfm]} skipHtml components={COMPONENTS}>
        {text}
      </Markdown>
    </article>
  );
}

const COMPONENTS: Components = {
  a: SafeLink,
  // Loading a picture would tell its server who reads the file.
  img: ({ alt, src }) => <em>{alt || src}</em>,
  input: ({ checked }) => <TaskState isDone={checked === true} />,
};

/** The state of an item in a task list. It cannot be changed here. */
function TaskState({ isDone }: { readonly isDone: boolean }) {
  const { t } = useTranslation();
  return (
    <span role="img" aria-label={t(isDone ? 'preview.taskDone' : 'preview.taskOpen')}>
      {isDone ? '☑' : '☐'}
    </span>
  );
}

/** Only links to other sites work; an address inside the drive has no meaning here. */
function SafeLink({ href, children }: Pick<ComponentProps<'a'>, 'href' | 'children'>) {
  if (href === undefined || !/^(?:https?:|mailto:)/i.test(href)) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}
