import { Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ShareSummary } from '../../../../../client/src/client.ts';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { currentSession } from '../../../api/session.ts';
import type { DirectoryPlace } from '../../entries/find-entry.ts';
import { DownloadButton } from './download-button.tsx';
import { findEnteredPassword } from './entered-passwords.ts';
import { importInto } from './import-into.ts';
import { SaveToDrive } from './save-to-drive.tsx';
import { useCheckShare } from './use-shared.ts';

interface ShareActionsProps {
  readonly share: ShareSummary;
  /** Called after a successful download or import. */
  readonly onUsed: () => void;
}

/** The actions of a share. */
export function ShareActions({ share, onUsed }: ShareActionsProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const check = useCheckShare(share.token);
  const { token, allowDownload, allowImport, shareName, ownerUsername, file } = share;
  const shared = { ...file, filename: file?.filename ?? shareName };
  const renew = () =>
    void queries.resetQueries({ queryKey: KEYS.sharedWith(currentSession()?.user.id, token) });
  const save = async (place: DirectoryPlace) => {
    const { drive, directory: path } = place;
    const password = findEnteredPassword(token);
    try {
      const entry = await importInto(place, shared, (onConflict) =>
        ask('POST /api/v2/shares/{token}/import', {
          path: { token },
          body: { path, onConflict, password },
          drive,
        }),
      );
      onUsed();
      // The page shows how many are left; a failed request is not reported.
      void check().catch(() => undefined);
      return entry;
    } catch (error) {
      // The share was used up or has ended since the page was opened, and the page says so.
      if (error instanceof HoldallError && [403, 404, 410].includes(error.status)) {
        renew();
      }
      throw error;
    }
  };
  const isOver = share.expired || share.exhausted;
  return (
    <Stack gap="sm">
      {allowDownload && <DownloadButton token={token} isOver={isOver} onBegun={onUsed} onEnded={renew} />}
      {allowImport && <SaveToDrive name={shareName} isMain={!allowDownload} isOver={isOver} onSave={save} />}
      {isOver && (
        <Text size="sm" c="dimmed" ta="center">
          {t('shares.usedUpNow')}
        </Text>
      )}
      {!(allowDownload && allowImport) && (
        <Text size="sm" c="dimmed" ta="center">
          {t(limitOf(share), { owner: ownerUsername })}
        </Text>
      )}
    </Stack>
  );
}

function limitOf({ allowDownload, allowImport }: ShareSummary) {
  if (allowImport) return 'shares.onlyImport';
  return allowDownload ? 'shares.onlyDownload' : 'shares.nothingAllowed';
}
