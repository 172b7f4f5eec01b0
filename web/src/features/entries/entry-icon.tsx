import { ThemeIcon } from '@mantine/core';
import {
  IconFile,
  IconFileCode,
  IconFileDescription,
  IconFileSpreadsheet,
  IconFileText,
  IconFileZip,
  IconFolderFilled,
  IconMovie,
  IconMusic,
  IconPhoto,
  IconPresentation,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { type EntryKind, kindOf } from './entry-kind.ts';

interface IconProps {
  readonly size?: number;
  readonly stroke?: number;
  readonly color?: string;
  readonly 'aria-hidden'?: boolean;
}

/** A theme colour, in the shade for the page background. Blue would look interactive. */
const ICONS: Record<EntryKind, readonly [ComponentType<IconProps>, color: string, shade: number]> = {
  folder: [IconFolderFilled, 'brass', 6],
  image: [IconPhoto, 'teal', 6],
  video: [IconMovie, 'grape', 6],
  audio: [IconMusic, 'pink', 6],
  pdf: [IconFileDescription, 'red', 6],
  archive: [IconFileZip, 'orange', 6],
  text: [IconFileText, 'gray', 6],
  document: [IconFileText, 'cyan', 7],
  sheet: [IconFileSpreadsheet, 'green', 6],
  slides: [IconPresentation, 'yellow', 7],
  code: [IconFileCode, 'violet', 5],
  other: [IconFile, 'gray', 6],
};

/** The same in lists and trees. */
export const FOLDER_COLOR = 'var(--holdall-brass)';

type Named = Pick<EntryRecord, 'filename' | 'contentType' | 'directory'>;

/** An icon for the kind of entry. Decorative: the name is next to it. */
export function EntryIcon({ entry, size = 22 }: { readonly entry: Named; readonly size?: number }) {
  const [Icon, color, shade] = ICONS[kindOf(entry)];
  const tone = entry.directory ? FOLDER_COLOR : `var(--mantine-color-${color}-${shade})`;
  return <Icon size={size} stroke={1.6} color={tone} aria-hidden />;
}

/** The same icon on a coloured background, for tiles. */
export function EntryBadge({ entry, size = 40 }: { readonly entry: Named; readonly size?: number }) {
  const [Icon, color] = ICONS[kindOf(entry)];
  return (
    <ThemeIcon variant="light" color={color} size={size} radius={size > 60 ? 'xl' : 'md'} aria-hidden>
      <Icon size={size * 0.55} stroke={1.5} {...(entry.directory && { color: FOLDER_COLOR })} />
    </ThemeIcon>
  );
}
