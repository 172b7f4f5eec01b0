import {
  IconArchive,
  IconArrowsMove,
  IconCopy,
  IconCopyPlus,
  IconDownload,
  IconEye,
  IconFolderPlus,
  IconFolderShare,
  IconInfoCircle,
  IconPackageExport,
  IconPencil,
  IconShare,
  IconStar,
  IconStarOff,
  IconTrash,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { EntryAction } from './entry-actions.ts';

export const ACTION_ICONS: Record<EntryAction, ComponentType<{ size?: number; 'aria-hidden'?: boolean }>> = {
  open: IconEye,
  reveal: IconFolderShare,
  download: IconDownload,
  share: IconShare,
  rename: IconPencil,
  move: IconArrowsMove,
  copy: IconCopy,
  duplicate: IconCopyPlus,
  star: IconStar,
  unstar: IconStarOff,
  compress: IconArchive,
  extract: IconPackageExport,
  extractToFolder: IconFolderPlus,
  details: IconInfoCircle,
  recycle: IconTrash,
};
