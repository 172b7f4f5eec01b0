/** @jsxImportSource react */
// The text of a file is shown as it is.
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import classes from './text.module.css';

/**
 * Renders Markdown as elements, without any HTML of the file: nothing in it can run, and nothing is loaded
 * from elsewhere.
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
  // Loading a picture from another server would show that server who reads the file.
  img: ({ alt, src }) => <em>{alt || src}</em>,
  input: ({ checked }) => <TaskState isDone={checked === true} />,
};

/** The state of a line in a list of tasks. It cannot be changed here. */
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
