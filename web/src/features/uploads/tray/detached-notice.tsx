import { Button, Group, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FileInput } from '../choose/file-input.tsx';
import type { Picked } from '../files/picked-files.ts';
import type { UploadsView } from '../queue/upload-queue.ts';
import { askForPermission, uploads as queue } from '../uploads.ts';
import { postponeDetached } from './postpone-detached.ts';
import classes from './upload-tray.module.css';

/** Explains how uploads of an earlier visit can be resumed. */
export function DetachedNotice({ view }: { readonly view: UploadsView }) {
  const { t } = useTranslation();
  const [isNoMatch, setNoMatch] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const detached = view.uploads.filter(({ status }) => status === 'detached');
  const hasRemembered = detached.some(({ isRemembered }) => isRemembered);
  const lost = detached.filter(({ isRemembered }) => !isRemembered);
  const attach = (picked: readonly Picked[]) => setNoMatch(queue.attach(picked) === 0);
  const discard = () => {
    for (const { id } of detached) queue.cancel(id);
  };
  return (
    <div className={classes.notice}>
      {view.totals.moving > 0 && (
        <Text size="sm" fw={600}>
          {t('uploads.detached', { count: detached.length })}
        </Text>
      )}
      <Text size="sm" c="dimmed" role={isNoMatch ? 'alert' : undefined}>
        {isNoMatch ? t('uploads.noMatch') : t(lost.length > 0 ? 'uploads.attachHint' : 'uploads.permitHint')}
      </Text>
      <Group gap="xs" mt="xs">
        {hasRemembered && (
          <Button h={40} size="compact-sm" px="sm" onClick={() => void askForPermission()}>
            {t('uploads.goOn')}
          </Button>
        )}
        {lost.length > 0 && (
          <>
            <Button h={40} size="compact-sm" px="sm" onClick={() => files.current?.click()}>
              {t('uploads.chooseFiles')}
            </Button>
            <Button
              h={40}
              size="compact-sm"
              px="sm"
              variant="default"
              onClick={() => folder.current?.click()}
            >
              {t('uploads.chooseFolder')}
            </Button>
          </>
        )}
        <Button h={40} size="compact-sm" px="sm" variant="default" onClick={postponeDetached}>
          {t('uploads.notNow')}
        </Button>
        <Button h={40} size="compact-sm" px="sm" variant="default" onClick={discard}>
          {t('uploads.discard')}
        </Button>
      </Group>
      <FileInput ref={files} name="again" onPick={attach} />
      <FileInput ref={folder} name="folder-again" isForFolders onPick={attach} />
    </div>
  );
}
