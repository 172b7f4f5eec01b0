import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconCamera } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { updateUser } from '../../../api/session.ts';
import { useUser } from '../../../api/use-session.ts';
import { UserAvatar } from '../../../features/account/user-avatar.tsx';
import { notify, notifyError } from '../../../ui/notifications/notify.ts';
import { CropDialog } from './crop-dialog.tsx';

/** The user's name and avatar, which can be changed here. */
export function PictureSection() {
  const { t } = useTranslation();
  const { displayName, username } = useUser();
  const [picture, setPicture] = useState<ImageBitmap>();
  const [isUnreadable, setUnreadable] = useState(false);
  useEffect(() => () => picture?.close(), [picture]);
  const send = useMutation({
    mutationFn: sendAvatar,
    onSuccess: (user) => {
      updateUser(user);
      setPicture(undefined);
      notify(t('profile.pictureChanged'));
    },
    onError: notifyError,
  });
  const choose = async (file: File | null) => {
    if (file === null) return;
    try {
      setPicture(await createImageBitmap(file));
      setUnreadable(false);
    } catch {
      setUnreadable(true);
    }
  };
  return (
    <Group gap="lg">
      <UserAvatar size={96} />
      <Stack gap="xs" miw={0}>
        <div>
          <Text fw={600} size="lg" truncate>
            {displayName}
          </Text>
          <Text size="sm" c="dimmed" truncate>
            {username}
          </Text>
        </div>
        <FileButton
          onChange={(file) => void choose(file)}
          accept="image/*"
          inputProps={{ 'aria-label': t('profile.choosePicture') }}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              mih="var(--tap-size)"
              leftSection={<IconCamera size={18} aria-hidden />}
            >
              {t('profile.choosePicture')}
            </Button>
          )}
        </FileButton>
        {isUnreadable && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {t('profile.pictureUnreadable')}
          </Text>
        )}
      </Stack>
      {picture !== undefined && (
        <CropDialog
          picture={picture}
          isPending={send.isPending}
          onCrop={send.mutate}
          onClose={() => setPicture(undefined)}
        />
      )}
    </Group>
  );
}

/** Sets the avatar in three steps: announces, uploads and completes it. @throws HoldallError */
async function sendAvatar(picture: Blob): Promise<User> {
  const filename = 'avatar.jpg';
  const target = await ask('POST /api/user/avatar/upload/initiate', {
    body: { filename, contentType: picture.type, size: picture.size },
  });
  const form = new FormData();
  form.set('file', picture, filename);
  const storageName = target.storageName ?? '';
  await ask('POST /api/user/avatar/upload', { query: { storageName }, body: form });
  return ask('POST /api/user/avatar/upload/complete', { body: { storageName } });
}
