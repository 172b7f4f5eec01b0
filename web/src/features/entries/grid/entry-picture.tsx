import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { EntryRecord } from '../../../api/contract.ts';
import { EntryIcon } from '../entry-icon.tsx';
import { kindOf } from '../entry-kind.ts';
import { getSignedAddress } from '../signed-address.ts';
import styles from './entry-grid.module.css';

/** The originals are shown, because there are no thumbnails; larger files than this are not worth it. */
const LARGEST_BYTES = 3_000_000;
/** While scrolling fast, nothing is loaded. */
const DWELL_MS = 250;
/** A signed URL is valid longer than this. */
const FRESH_MS = 5 * 60_000;

/** The picture of a tile, or an icon for the kind of file. */
export function EntryPicture({ entry }: { readonly entry: EntryRecord }) {
  const isPicture = kindOf(entry) === 'image' && entry.size > 0 && entry.size <= LARGEST_BYTES;
  return isPicture ? <Picture entry={entry} /> : <EntryIcon entry={entry} size={56} />;
}

function Picture({ entry }: { readonly entry: EntryRecord }) {
  const [isLookedAt, setLookedAt] = useState(false);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLookedAt(true), DWELL_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({
    queryKey: ['picture', entry.id, entry.updatedAt],
    queryFn: ({ signal }) => getSignedAddress(entry, signal),
    enabled: isLookedAt,
    staleTime: FRESH_MS,
    gcTime: FRESH_MS,
  });
  if (data === undefined || isBroken) return <EntryIcon entry={entry} size={56} />;
  return (
    <img
      src={data}
      alt=""
      decoding="async"
      draggable={false}
      className={styles.image}
      onError={() => setBroken(true)}
    />
  );
}
