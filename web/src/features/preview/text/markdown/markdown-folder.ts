import { createContext } from 'react';
import type { DriveId } from '../../../../api/in-drive.ts';

/** The folder of a shown Markdown file, to which its links and pictures are relative. */
export interface MarkdownPlace {
  readonly drive: DriveId;
  readonly folder: string;
}

/** Undefined where the reader has no access to the folder. */
export const MarkdownFolder = createContext<MarkdownPlace | undefined>(undefined);

/** No drive is there. */
const ORIGIN = 'https://drive.invalid';

/** The path in the drive to which a link leads; undefined if it leads elsewhere. */
export function toDrivePath(folder: string, link: string): string | undefined {
  if (/^(?:[a-z][a-z\d+.-]*:|[#?]|$)/i.test(link)) return undefined;
  try {
    const base = folder.split('/').map(encodeURIComponent).join('/');
    const { origin, pathname } = new URL(link, `${ORIGIN}${base.replace(/\/?$/, '/')}`);
    return origin === ORIGIN ? decodeURIComponent(pathname) : undefined;
  } catch {
    return undefined;
  }
}
