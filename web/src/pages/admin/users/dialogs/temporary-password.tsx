import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../../ui/buttons/copy-button.tsx';
import { Dialog } from '../../../../ui/dialogs/dialog.tsx';
import classes from '../../admin.module.css';

/** Shows a generated password, which the service returns only once. */
export function TemporaryPasswordDialog(parts: {
  readonly username: string;
  readonly text: string;
  readonly password: string;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const { username, text, password, onClose } = parts;
  return (
    // A click outside would lose the password.
    <Dialog
      onClose={onClose}
      closeOnClickOutside={false}
      title={t('admin.users.temporaryTitle', { name: username })}
    >
      <Text>{text}</Text>
      <Text className={classes.code} my="md" aria-label={t('admin.users.temporary')} role="group">
        {password}
      </Text>
      <Group justify="flex-end">
        <CopyButton text={password} label={t('admin.users.copyPassword')} isFirst />
        <Button onClick={onClose}>{t('admin.done')}</Button>
      </Group>
    </Dialog>
  );
}
