import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatTime } from '../../../messages/formats.ts';
import { httpUploadService } from '../service/http-upload-service.ts';
import type { Decision, Upload } from '../upload.ts';
import { uploads as queue } from '../uploads.ts';
import { onPutOff, putOff, putOffIds } from './put-off.ts';

/** Asks how to resolve name conflicts, one after the other. When it is closed, they stay on the list. */
export function TakenDialog({ uploads }: { readonly uploads: readonly Upload[] }) {
  const later = useSyncExternalStore(onPutOff, putOffIds);
  const taken = uploads.filter(({ status }) => status === 'taken');
  const asked = taken.find(({ id }) => !later.has(id));
  if (asked === undefined) return null;
  const alike = uploads.filter(({ batchId }) => batchId === asked.batchId).length;
  return (
    <Question
      key={asked.id}
      upload={asked}
      isAlone={alike === 1}
      onClose={() => putOff(taken.map(({ id }) => id))}
    />
  );
}

function Question(parts: { upload: Upload; isAlone: boolean; onClose: () => void }) {
  const { upload, isAlone, onClose } = parts;
  const { t } = useTranslation();
  const [forAll, setForAll] = useState(false);
  const { data: entry } = useQuery({
    queryKey: ['uploads', 'taken', upload.directoryPath, upload.name],
    queryFn: async ({ signal }) => (await httpUploadService.findEntry(upload, signal)) ?? null,
  });
  const decide = (decision: Decision) => queue.decide(upload.id, decision, forAll);
  const isFolder = entry?.directory === true;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('uploads.takenTitle')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      size="lg"
    >
      <Stack>
        <Text style={{ overflowWrap: 'anywhere' }}>
          {t(isFolder ? 'uploads.takenByFolder' : 'uploads.takenByFile', { name: upload.name })}
        </Text>
        <Text size="sm" c="dimmed" mih="3.1em">
          {entry && !isFolder && (
            <>
              {t('uploads.takenThere', { size: formatBytes(entry.size), time: formatTime(entry.modifiedAt) })}
              <br />
            </>
          )}
          {t('uploads.takenYours', { size: formatBytes(upload.size) })}
        </Text>
        {!isFolder && <Text size="sm">{t('uploads.replaceHint')}</Text>}
        {!isAlone && (
          <Checkbox
            checked={forAll}
            onChange={(event) => setForAll(event.currentTarget.checked)}
            label={t('uploads.forAll')}
          />
        )}
        <Group justify="flex-end" gap="sm">
          <Button h={40} variant="default" onClick={() => decide('skip')}>
            {t('uploads.skip')}
          </Button>
          {!isFolder && (
            <Button h={40} variant="default" onClick={() => decide('replace')}>
              {t('uploads.replace')}
            </Button>
          )}
          <Button h={40} data-autofocus onClick={() => decide('keep-both')}>
            {t('uploads.keepBoth')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
