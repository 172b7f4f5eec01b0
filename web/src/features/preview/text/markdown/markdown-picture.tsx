/** @jsxImportSource react */
// React's own JSX runtime: ours would alter direction marks, but the text of a file is shown unchanged.
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useContext } from 'react';
import { nameOf, parentOf } from '../../../../common/names/drive-paths.ts';
import { kindOf } from '../../../entries/entry-kind.ts';
import { findEntry } from '../../../entries/find-entry.ts';
import { getSignedAddress } from '../../../entries/signed-address.ts';
import { MarkdownFolder, toDrivePath } from './markdown-folder.ts';

/** An address is valid for a few minutes. */
const FRESH_MS = 3 * 60_000;

/**
 * A picture of the same drive. Of any other only the description is shown: loading it would tell its server
 * who reads the file.
 */
export function MarkdownPicture({ alt, src }: Pick<ComponentProps<'img'>, 'alt' | 'src'>) {
  const place = useContext(MarkdownFolder);
  const link = typeof src === 'string' ? src : '';
  const path = place && toDrivePath(place.folder, link);
  const { data } = useQuery({
    queryKey: ['markdown-picture', place?.drive, path],
    queryFn: async ({ signal }) => {
      if (path === undefined) return null;
      const found = await findEntry({ drive: place?.drive, directory: parentOf(path) }, nameOf(path), signal);
      const isPicture = found !== undefined && kindOf(found) === 'image';
      return isPicture ? await getSignedAddress(found, signal) : null;
    },
    enabled: path !== undefined,
    staleTime: FRESH_MS,
  });
  if (data === undefined || data === null) return <em>{alt || link}</em>;
  return <img src={data} alt={alt ?? ''} />;
}
