import { Failure } from '../base/failure.ts';
import type { FindLinkPreview, LinkPreview } from '../http/link-preview.ts';
import type { FolderLink, FolderLinks } from './folder-links.ts';

/** What a link offers, for apps that show link previews. */
const OFFERS = {
  VIEW: 'Folder, shared by',
  UPLOAD: 'Send files to',
  BOTH: 'Folder to look at and send files to, shared by',
} as const;

/**
 * Finds the preview that anyone with a folder link can see before opening its page. A link with a password,
 * or one that no longer works, has no preview.
 */
export function findFolderLinkPreviews(links: Pick<FolderLinks, 'get'>): FindLinkPreview {
  return async ({ name, key }) => {
    if (name !== 'f') return undefined;
    try {
      const link = await links.get(key);
      return link.passwordHash === null ? toPreview(link) : undefined;
    } catch (error) {
      // The page still opens without a preview, and tells what is wrong.
      if (!(error instanceof Failure)) throw error;
      return undefined;
    }
  };
}

function toPreview({ title, note, mode, ownerName }: FolderLink): LinkPreview {
  const offer = `${OFFERS[mode]} ${ownerName}`;
  return { title, description: note === null ? offer : `${offer}: ${note}`, imageUrl: undefined };
}
