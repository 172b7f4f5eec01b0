import { Alert, Button, Stack, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { PublicShareLink } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import { useSession } from '../../api/use-session.ts';
import type { DirectoryPlace } from '../../features/entries/find-entry.ts';
import { importInto } from '../../features/shares/public/import-into.ts';
import { PublicFailure } from '../../features/shares/public/public-failure.tsx';
import { PublicFrame } from '../../features/shares/public/public-frame.tsx';
import { PublicSkeleton } from '../../features/shares/public/public-skeleton.tsx';
import { SaveToDrive } from '../../features/shares/public/save-to-drive.tsx';
import { SharedEntryCard } from '../../features/shares/public/shared-entry-card.tsx';
import { useShareLink } from '../../features/shares/public/use-shared.ts';
import { useTitle } from '../../features/shares/public/use-title.ts';
import { formatBytes, formatNumber } from '../../messages/formats.ts';

/** The public page of a legacy link, usually to a folder. Visitors can copy the folder into their drive. */
export function ShareLinkPage() {
  const { token } = useParams({ from: '/l/$token' });
  const { data: link, error, refetch } = useShareLink(token);
  useTitle(link?.filename);
  return (
    <PublicFrame>
      {link === undefined && error === null && <PublicSkeleton />}
      {link === undefined && error !== null && <PublicFailure error={error} onRetry={() => void refetch()} />}
      {link !== undefined && <ShareLinkCard link={link} />}
    </PublicFrame>
  );
}

function ShareLinkCard({ link }: { link: PublicShareLink }) {
  const { t } = useTranslation();
  const isOwn = useSession()?.user.username === link.ownerUsername;
  const { token, filename, contentType, directory, size, fileCount } = link;
  const save = (place: DirectoryPlace) =>
    importInto(place, link, (onConflict) =>
      ask('POST /api/files/share-links/{token}/import', {
        path: { token },
        body: { path: place.directory, onConflict },
        drive: place.drive,
      }),
    );
  return (
    <SharedEntryCard
      name={filename}
      ownerUsername={link.ownerUsername}
      ownerAvatarUrl={link.ownerAvatarUrl}
      file={{ filename, contentType, directory }}
      facts={[
        directory ? t('shares.folder') : formatBytes(size),
        fileCount === undefined
          ? undefined
          : t('shares.fileCount', { count: fileCount, number: formatNumber(fileCount) }),
      ]}
    >
      {isOwn ? (
        <Stack gap="sm">
          <Alert color="blue">{t(directory ? 'shares.ownFolder' : 'shares.own')}</Alert>
          <Button
            variant="default"
            size="md"
            renderRoot={(props) => <Link {...props} to="/drive/$" params={{ _splat: '' }} />}
          >
            {t('common.backToFiles')}
          </Button>
        </Stack>
      ) : (
        <Stack gap="sm">
          <SaveToDrive name={filename} isMain onSave={save} />
          <Text size="sm" c="dimmed" ta="center">
            {t(directory ? 'shares.saveFolderHint' : 'shares.saveFileHint')}
          </Text>
        </Stack>
      )}
    </SharedEntryCard>
  );
}
