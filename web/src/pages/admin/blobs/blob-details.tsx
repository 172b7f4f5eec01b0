import { Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AdminBlob } from '../../../../../client/src/client.ts';
import { formatBytes, formatNumber, formatTime } from '../../../messages/formats.ts';
import { DetailsDrawer } from '../pieces/details-drawer.tsx';
import { Mark } from '../pieces/mark.tsx';
import { OwnerLink } from '../pieces/owner-link.tsx';
import { FLAG_TONES, flagsOf } from './blob-flags.ts';

export function BlobDetails(parts: { blob: AdminBlob; policy: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { blob, policy, onClose } = parts;
  return (
    <DetailsDrawer
      title={blob.objectKey}
      onClose={onClose}
      facts={[
        [t('admin.blobs.type'), t(`admin.blobs.types.${blob.entityType}`)],
        [t('admin.blobs.policy'), policy],
        [t('admin.files.size'), formatBytes(blob.size)],
        [t('admin.files.type'), blob.contentType],
        ['SHA-256', blob.sha256],
        [t('admin.blobs.references'), formatNumber(blob.referenceCount)],
        [t('admin.blobs.linkedFiles'), formatNumber(blob.linkedStoredFileCount)],
        [t('admin.blobs.linkedOwners'), formatNumber(blob.linkedOwnerCount)],
        [
          t('admin.blobs.sampleOwner'),
          blob.sampleOwnerUsername === null ? null : (
            <OwnerLink key="owner" username={blob.sampleOwnerUsername} email={blob.sampleOwnerEmail} />
          ),
        ],
        [t('admin.blobs.createdBy'), blob.createdByUsername],
        [t('admin.created'), formatTime(blob.createdAt)],
        [t('admin.list.id'), blob.id],
      ]}
    >
      <Stack gap="xs">
        {flagsOf(blob).map((flag) => (
          <Group key={flag} gap="xs" align="baseline">
            <Mark tone={FLAG_TONES[flag]} text={t(`admin.blobs.flags.${flag}`)} />
            <Text size="sm">{t(`admin.blobs.flagHints.${flag}`)}</Text>
          </Group>
        ))}
      </Stack>
    </DetailsDrawer>
  );
}
