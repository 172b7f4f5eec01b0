import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminBlob } from '../../../../../client/src/client.ts';
import { formatBytes, formatNumber, formatTime } from '../../../messages/formats.ts';
import { ChoiceFilter } from '../list/choice-filter.tsx';
import { type Column, RowName } from '../list/columns.tsx';
import { FilterBar } from '../list/filter-bar.tsx';
import { PagedList } from '../list/paged-list.tsx';
import { TextFilter } from '../list/text-filter.tsx';
import { usePage } from '../list/use-page.ts';
import { ENTITY_TYPES } from '../pieces/choices.ts';
import { DetailsDrawer } from '../pieces/details-drawer.tsx';
import { Mark } from '../pieces/mark.tsx';
import { type Owned, OwnerLink } from '../pieces/owner-link.tsx';
import { usePolicies } from '../pieces/use-policies.ts';
import { type BlobFlag, FLAG_TONES, flagsOf } from './blob-flags.ts';

const FILTERS = ['userQuery', 'storagePolicyId', 'objectKey', 'entityType'];

/** The stored objects and their faults. */
export function BlobsPart() {
  const { t } = useTranslation();
  const query = usePage('file-blobs', FILTERS);
  const { data: policies = [] } = usePolicies();
  const [open, setOpen] = useState<AdminBlob>();
  const nameOf = (id: number) => policies.find((policy) => policy.id === id)?.name ?? `#${id}`;
  const found = new Set(query.data?.items.flatMap(flagsOf));
  const columns: Column<AdminBlob>[] = [
    {
      key: 'object',
      title: t('admin.blobs.object'),
      cell: (blob) => (
        <RowName
          name={blob.objectKey}
          hint={[t(`admin.blobs.types.${blob.entityType}`), blob.contentType].filter(Boolean).join(' · ')}
          onOpen={() => setOpen(blob)}
        />
      ),
    },
    {
      key: 'state',
      title: t('admin.blobs.state'),
      cell: (blob) => <Flags flags={flagsOf(blob)} />,
    },
    {
      key: 'owner',
      title: t('admin.owner'),
      cell: (blob) => <SampleOwner blob={blob} />,
    },
    { key: 'policy', title: t('admin.blobs.policy'), cell: (blob) => nameOf(blob.storagePolicyId) },
    {
      key: 'references',
      title: t('admin.blobs.references'),
      cell: ({ referenceCount }) => formatNumber(referenceCount),
      isNumber: true,
    },
    { key: 'size', title: t('admin.files.size'), cell: ({ size }) => formatBytes(size), isNumber: true },
  ];
  return (
    <Stack gap="xs">
      <FilterBar>
        <TextFilter name="userQuery" label={t('admin.owner')} hint={t('admin.ownerHint')} />
        <ChoiceFilter
          name="storagePolicyId"
          label={t('admin.blobs.policy')}
          choices={policies.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
        <TextFilter name="objectKey" label={t('admin.blobs.key')} />
        <ChoiceFilter
          name="entityType"
          label={t('admin.blobs.type')}
          choices={ENTITY_TYPES.map((value) => ({ value, label: t(`admin.blobs.types.${value}`) }))}
        />
      </FilterBar>
      <Legend flags={[...found].filter((flag) => flag !== 'good')} />
      <PagedList
        query={query}
        filters={FILTERS}
        title={t('admin.parts.blobs')}
        columns={columns}
        empty={{ drawing: 'bag', title: t('admin.blobs.none') }}
      />
      {open && (
        <BlobDetails blob={open} policy={nameOf(open.storagePolicyId)} onClose={() => setOpen(undefined)} />
      )}
    </Stack>
  );
}

/** One of the accounts and shared drives that use the object. */
function SampleOwner({ blob }: { blob: AdminBlob }) {
  const owner = findSampleOwner(blob);
  return owner === undefined ? null : <OwnerLink owner={owner} />;
}

/** Undefined if no account and no shared drive uses the object. */
function findSampleOwner(blob: AdminBlob): Owned | undefined {
  const { sampleDriveName: driveName, sampleOwnerUsername: ownerUsername, sampleOwnerEmail } = blob;
  if (driveName === null && ownerUsername === null) return undefined;
  return { driveName, ownerUsername, ownerEmail: sampleOwnerEmail };
}

function Flags({ flags }: { flags: readonly BlobFlag[] }) {
  const { t } = useTranslation();
  return (
    <Group gap={4}>
      {flags.map((flag) => (
        <Mark key={flag} tone={FLAG_TONES[flag]} text={t(`admin.blobs.flags.${flag}`)} />
      ))}
    </Group>
  );
}

/** The legend of the flags. */
function Legend({ flags }: { flags: readonly BlobFlag[] }) {
  const { t } = useTranslation();
  if (flags.length === 0) return null;
  return (
    <Alert variant="default" icon={<IconInfoCircle aria-hidden />} title={t('admin.blobs.legend')}>
      <Stack gap={6}>
        {flags.map((flag) => (
          <Group key={flag} gap="xs" align="baseline">
            <Flags flags={[flag]} />
            <Text size="sm">{t(`admin.blobs.flagHints.${flag}`)}</Text>
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}

function BlobDetails(parts: { blob: AdminBlob; policy: string; onClose: () => void }) {
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
          findSampleOwner(blob) === undefined ? null : <SampleOwner key="owner" blob={blob} />,
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
