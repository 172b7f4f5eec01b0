import { Suspense } from 'react';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { lazyPart } from '../../../common/timing/lazy-part.ts';
import { useIsSizeWanted } from './wanted-sizes.ts';

const CountedSize = lazyPart(async () => (await import('./counted-size.tsx')).CountedSize);

interface FolderSizeProps {
  readonly folder: EntryRecord;
  /** Follows the size. */
  readonly end?: string;
}

/** The size of everything in a folder. Nothing unless the user has requested it. */
export function FolderSize({ folder, end = '' }: FolderSizeProps) {
  if (!useIsSizeWanted(folder.id)) return null;
  return (
    <Suspense fallback={null}>
      <CountedSize folder={folder} />
      {end}
    </Suspense>
  );
}
