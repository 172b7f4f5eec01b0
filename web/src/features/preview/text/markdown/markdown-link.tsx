/** @jsxImportSource react */
// React's own JSX runtime: ours would alter direction marks, but the text of a file is shown unchanged.
import { useNavigate } from '@tanstack/react-router';
import { type ComponentProps, type MouseEvent, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { addressOf, nameOf, parentOf, toDirectory } from '../../../../common/names/drive-paths.ts';
import { notify, notifyError } from '../../../../ui/notifications/notify.ts';
import { findEntry } from '../../../entries/find-entry.ts';
import { MarkdownFolder, type MarkdownPlace, toDrivePath } from './markdown-folder.ts';

type LinkProps = Pick<ComponentProps<'a'>, 'href' | 'children'>;

/** A link to another site, or to a file or folder of the same drive. Any other is shown as text. */
export function MarkdownLink({ href = '', children }: LinkProps) {
  const place = useContext(MarkdownFolder);
  if (/^(?:https?:|mailto:)/i.test(href)) {
    return (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    );
  }
  const path = place && toDrivePath(place.folder, href);
  if (path === undefined) return <span>{children}</span>;
  return (
    <DriveLink drive={place?.drive} path={path}>
      {children}
    </DriveLink>
  );
}

interface DriveLinkProps extends Pick<MarkdownPlace, 'drive'> {
  readonly path: string;
  readonly children: LinkProps['children'];
}

/** Opens a folder, or the preview of a file. Its id is looked up when the link is followed. */
function DriveLink({ drive, path: linked, children }: DriveLinkProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const path = linked.replace(/\/+$/, '') || '/';
  const open = async () => {
    const found =
      path === '/' ? undefined : await findEntry({ drive, directory: parentOf(path) }, nameOf(path));
    if (path === '/' || found?.directory) return await navigate(toDirectory(path, { drive }));
    if (found === undefined) return notify(t('editor.linkNotFound', { name: nameOf(path) }));
    const { id } = found;
    await navigate({ ...toDirectory(found.parentPath), search: { drive, select: id, preview: id } });
  };
  const onClick = (event: MouseEvent) => {
    // Other tabs show the folder.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open().catch(notifyError);
  };
  const folder = { id: 0, path: parentOf(path), parentPath: '', directory: true };
  return (
    <a href={addressOf(folder, drive)} onClick={onClick}>
      {children}
    </a>
  );
}
