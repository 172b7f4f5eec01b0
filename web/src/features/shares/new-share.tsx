import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { queryOf } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import { notifyError } from '../../ui/notifications/notify.ts';

const ShareDialog = lazyPart(async () => (await import('./share-dialog.tsx')).ShareDialog);

/** The share dialog for the file or folder in the address. */
export function NewShare() {
  const { file } = useSearch({ from: '/inside/shared' });
  const navigate = useNavigate();
  const { data: entry, error } = useQuery({
    ...queryOf(KEYS.entry(file ?? 0), 'GET /api/v2/files/{fileId}', { path: { fileId: file ?? 0 } }),
    enabled: file !== undefined,
  });
  useEffect(() => {
    if (error !== null) notifyError(error);
  }, [error]);
  if (file === undefined || entry === undefined) return null;
  return (
    <Suspense>
      <ShareDialog entry={entry} onClose={() => void navigate({ to: '/shared' })} />
    </Suspense>
  );
}
