/** @jsxImportSource react */
// React's own JSX runtime: ours would alter direction marks, but the text of a file is shown unchanged.
import { useTranslation } from 'react-i18next';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import classes from '../text.module.css';
import { markTree } from './mark-tree.ts';
import { MarkdownLink } from './markdown-link.tsx';
import { MarkdownPicture } from './markdown-picture.tsx';

/**
 * Renders Markdown as elements and ignores HTML in the file. Nothing in it can run or load anything from
 * elsewhere.
 */
export function MarkdownView({ text }: { readonly text: string }) {
  return (
    <article className={classes.markdown}>
      <Markdown remarkPlugins={[remarkGfm]} rehypePlugins={[markTree]} skipHtml components={COMPONENTS}>
        {text}
      </Markdown>
    </article>
  );
}

const COMPONENTS: Components = {
  a: MarkdownLink,
  img: MarkdownPicture,
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
