import { Button, Group, List, NativeSelect, Radio, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { messageOf } from '../../../common/message-of.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { archiveQuery, NAME_ENCODINGS, type NameEncoding } from '../archive-listing.ts';
import type { ExtractPlace } from './archive-tasks.ts';

/** How many names are shown, so the user can tell whether the encoding is right. */
const SAMPLES = 4;

interface ExtractDialogProps {
  readonly entry: EntryRecord;
  readonly onExtract: (place: ExtractPlace, encoding: NameEncoding | undefined) => void;
  readonly onClose: () => void;
}

/** Asks where to extract an archive, and for the encoding of its names. */
export function ExtractDialog({ entry, onExtract, onClose }: ExtractDialogProps) {
  const { t } = useTranslation();
  const [place, setPlace] = useState<ExtractPlace>('folder');
  const [encoding, setEncoding] = useState<NameEncoding | undefined>();
  const { data, error } = useQuery({
    ...archiveQuery(entry, encoding ?? ''),
    placeholderData: (previous) => previous,
  });
  return (
    <Dialog onClose={onClose} title={t('extract.title', { name: entry.filename })}>
      <Stack gap="md">
        <Radio.Group
          label={t('extract.place')}
          value={place}
          onChange={(value) => setPlace(value === 'here' ? 'here' : 'folder')}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="folder" label={t('extract.intoFolder')} />
            <Radio value="here" label={t('extract.beside')} />
          </Stack>
        </Radio.Group>
        <NativeSelect
          label={t('preview.nameEncoding')}
          value={encoding ?? ''}
          data={[
            { value: '', label: t('extract.automatic') },
            ...NAME_ENCODINGS.map((value) => ({ value, label: t(`preview.encodings.${value}`) })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            setEncoding(NAME_ENCODINGS.find((known) => known === value))
          }
        />
        {error === null ? (
          <List size="sm" aria-label={t('extract.names')}>
            {data?.entries.slice(0, SAMPLES).map(({ path }) => (
              <List.Item key={path} style={{ overflowWrap: 'anywhere' }}>
                {path}
              </List.Item>
            ))}
          </List>
        ) : (
          <Text size="sm" c="red" role="alert">
            {messageOf(error)}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {t('extract.badNames')}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button onClick={() => onExtract(place, encoding)}>{t('extract.now')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
