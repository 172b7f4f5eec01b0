import { Alert, Button, FileButton, Group, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconFiles, IconFolder, IconUpload } from '@tabler/icons-react';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { canEncrypt } from '../../../../../client/src/transfer/encryption/keys.ts';
import { useSession } from '../../../api/use-session.ts';
import { CAN_PICK_FOLDERS } from '../../../common/folder-choice.ts';
import { formatNumber } from '../../../messages/formats.ts';
import { notifyError } from '../../../ui/notifications/notify.ts';
import { DeviceList } from '../devices/device-list.tsx';
import { nameDevice } from '../devices/device-name.ts';
import { notifyDeviceFailure } from '../devices/notify-device-failure.ts';
import { chooseEncryption, readEncryptionChoice } from '../session/encryption-choice.ts';
import { type ChosenFile, MAX_FILES, readDropped, readPicked } from '../session/files/chosen-files.ts';
import { prepareSecret } from '../session/next-secret.ts';
import { type AskedDevice, startSending } from '../session/start-sending.ts';
import classes from '../transfer.module.css';
import { FallbackSwitch } from './fallback-switch.tsx';
import { LogInHint } from './log-in-hint.tsx';

/** Supported by all browsers, but missing in the types. */
const WHOLE_FOLDERS = { webkitdirectory: '' };

/** Lets the user choose files, and starts sending them immediately. */
export function FileChoice() {
  const { t } = useTranslation();
  const [isStored, setStored] = useState(false);
  const [isEncrypted, setEncrypted] = useState(() => canEncrypt() && readEncryptionChoice());
  const [fault, setFault] = useState<string>();
  const isLoggedIn = useSession() !== undefined;
  // With large text, the two options do not fit next to each other.
  const isLarge = useMediaQuery('(max-width: 20em)');
  const mayChoose = isLoggedIn || !isStored;
  useEffect(() => {
    if (isEncrypted) prepareSecret();
  }, [isEncrypted]);
  const take = (chosen: readonly ChosenFile[], device?: AskedDevice) => {
    if (chosen.length === 0) setFault(t('transfer.nothingChosen'));
    else if (chosen.length > MAX_FILES) setFault(t('transfer.tooMany', { most: formatNumber(MAX_FILES) }));
    else startSending(chosen, { isStored, isEncrypted, device });
  };
  return (
    <Stack>
      <SegmentedControl
        size="md"
        orientation={isLarge ? 'vertical' : 'horizontal'}
        aria-label={t('transfer.how')}
        value={isStored ? 'stored' : 'direct'}
        onChange={(value) => setStored(value === 'stored')}
        data={[
          { value: 'direct', label: t('transfer.direct') },
          { value: 'stored', label: t('transfer.stored') },
        ]}
      />
      <Text size="sm" c="dimmed">
        {isStored ? t('transfer.storedHint') : t('transfer.directHint')}
      </Text>
      <Switch
        label={t('transfer.encrypt')}
        disabled={!canEncrypt()}
        checked={isEncrypted}
        onChange={({ currentTarget: { checked } }) => {
          setEncrypted(checked);
          chooseEncryption(checked);
        }}
        aria-describedby="encrypt-hint"
      />
      <Text size="sm" c="dimmed" id="encrypt-hint" mt="calc(var(--mantine-spacing-md) * -0.5)">
        {t(canEncrypt() ? 'transfer.encryptHint' : 'transfer.encryptNeedsTls')}
      </Text>
      {fault !== undefined && (
        <Alert color="red" role="alert">
          {fault}
        </Alert>
      )}
      {mayChoose ? <DropPlace onChosen={(chosen) => take(chosen)} /> : <LogInHint />}
      {!isStored && (
        <DeviceList
          title={t('transfer.ownDevices')}
          onFiles={(device, files) =>
            take(
              files.map((file) => ({ file, relativePath: null })),
              { id: device.id, name: nameDevice(device, t), onFailure: notifyDeviceFailure },
            )
          }
        />
      )}
      {!isStored && isLoggedIn && <FallbackSwitch />}
    </Stack>
  );
}

/** The drop area for files, with buttons for choosing files or a folder. */
function DropPlace({ onChosen }: { readonly onChosen: (chosen: readonly ChosenFile[]) => void }) {
  const { t } = useTranslation();
  const [isOver, setOver] = useState(false);
  const folderInput = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    readDropped(event.dataTransfer).then(onChosen, notifyError);
  };
  return (
    <section
      className={classes.drop}
      aria-label={t('transfer.dropHere')}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconUpload size={40} stroke={1.5} aria-hidden />
      <Text fw={600} className={classes.dropWords}>
        {t('transfer.dropHere')}
      </Text>
      <Group justify="center" gap="xs">
        <FileButton
          multiple
          onChange={(files) => onChosen(files.map((file) => ({ file, relativePath: null })))}
        >
          {(props) => (
            <Button {...props} h={44} leftSection={<IconFiles size={18} aria-hidden />}>
              {t('transfer.chooseFiles')}
            </Button>
          )}
        </FileButton>
        {CAN_PICK_FOLDERS && (
          <Button
            h={44}
            variant="default"
            leftSection={<IconFolder size={18} aria-hidden />}
            onClick={() => folderInput.current?.click()}
          >
            {t('transfer.chooseFolder')}
          </Button>
        )}
        <input
          ref={folderInput}
          type="file"
          hidden
          {...WHOLE_FOLDERS}
          aria-label={t('transfer.chooseFolder')}
          onChange={({ currentTarget }) =>
            onChosen(readPicked(currentTarget.files ?? new DataTransfer().files))
          }
        />
      </Group>
    </section>
  );
}
