import { ThemeIcon } from '@mantine/core';
import {
  type Icon,
  IconFile,
  IconFileText,
  IconFileTypePdf,
  IconFileZip,
  IconFolder,
  IconMusic,
  IconPhoto,
  IconTable,
  IconVideo,
} from '@tabler/icons-react';
import { type Kind, kindOf } from './kind.ts';

const LOOKS: Record<Kind, readonly [Icon, color: string]> = {
  folder: [IconFolder, 'blue'],
  image: [IconPhoto, 'grape'],
  video: [IconVideo, 'pink'],
  audio: [IconMusic, 'violet'],
  pdf: [IconFileTypePdf, 'red'],
  archive: [IconFileZip, 'yellow'],
  sheet: [IconTable, 'teal'],
  text: [IconFileText, 'blue'],
  file: [IconFile, 'gray'],
};

interface KindIconProps {
  readonly contentType: string | null;
  readonly isDirectory: boolean;
  /** Pixels. */
  readonly size?: number;
}

/** A picture of what kind of thing it is, for the eye only. */
export function KindIcon({ contentType, isDirectory, size = 40 }: KindIconProps) {
  const [Picture, color] = LOOKS[kindOf(contentType, isDirectory)];
  return (
    <ThemeIcon variant="light" color={color} size={size} radius={size > 60 ? 'xl' : 'md'} aria-hidden>
      <Picture size={size * 0.55} stroke={1.5} />
    </ThemeIcon>
  );
}
