import {
  IconFile,
  IconFileCode,
  IconFileSpreadsheet,
  IconFileText,
  IconFileTypePdf,
  IconFileZip,
  IconFolderFilled,
  IconMovie,
  IconMusic,
  IconPhoto,
  IconPresentation,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { EntryRecord } from '../../../server/src/contract.ts';
import { type EntryKind, kindOf } from './entry-kind.ts';

interface IconProps {
  readonly size?: number;
  readonly stroke?: number;
  readonly color?: string;
  readonly 'aria-hidden'?: boolean;
}

const ICONS: Record<EntryKind, readonly [ComponentType<IconProps>, string]> = {
  folder: [IconFolderFilled, 'var(--mantine-color-blue-6)'],
  image: [IconPhoto, 'var(--mantine-color-teal-6)'],
  video: [IconMovie, 'var(--mantine-color-grape-6)'],
  audio: [IconMusic, 'var(--mantine-color-pink-6)'],
  pdf: [IconFileTypePdf, 'var(--mantine-color-red-6)'],
  archive: [IconFileZip, 'var(--mantine-color-orange-6)'],
  text: [IconFileText, 'var(--mantine-color-dimmed)'],
  document: [IconFileText, 'var(--mantine-color-blue-6)'],
  sheet: [IconFileSpreadsheet, 'var(--mantine-color-green-6)'],
  slides: [IconPresentation, 'var(--mantine-color-yellow-7)'],
  code: [IconFileCode, 'var(--mantine-color-indigo-5)'],
  other: [IconFile, 'var(--mantine-color-dimmed)'],
};

type Named = Pick<EntryRecord, 'filename' | 'contentType' | 'directory'>;

/** A picture of what kind of thing it is. The name beside it says the rest. */
export function EntryIcon({ entry, size = 22 }: { readonly entry: Named; readonly size?: number }) {
  const [Icon, color] = ICONS[kindOf(entry)];
  return <Icon size={size} stroke={1.6} color={color} aria-hidden />;
}
