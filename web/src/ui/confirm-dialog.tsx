import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Dialog } from './dialogs/dialog.tsx';

interface Question {
  readonly title: string;
  readonly text: string;
  /** The label of the button: the action, such as "Delete permanently". */
  readonly action: string;
  readonly isPending?: boolean;
  /** For a question above something other than a page, such as a drawer. */
  readonly zIndex?: number;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before an action that cannot be undone. */
export function ConfirmDialog(question: Question) {
  const { title, text, action, isPending = false, zIndex = 200, onConfirm, onClose } = question;
  const { t } = useTranslation();
  return (
    <Dialog onClose={onClose} title={title} zIndex={zIndex}>
      <Text>{text}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('common.cancel')}
        </Button>
        <Button color="red.9" loading={isPending} onClick={onConfirm}>
          {action}
        </Button>
      </Group>
    </Dialog>
  );
}
