import { useNavigate } from '@tanstack/react-router';
import { ROOT, toDirectory } from '../../common/names/drive-paths.ts';
import { useDriveId } from './use-drive.ts';

/** Returns a function that opens the user's own files if the page shows the lost drive. */
export function useOpenOwnFiles(lostId: number): () => Promise<void> {
  const navigate = useNavigate();
  const shownId = useDriveId();
  return async () => {
    if (shownId === lostId) await navigate(toDirectory(ROOT, { drive: undefined }));
  };
}
