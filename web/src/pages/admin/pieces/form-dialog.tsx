import { Alert, Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '../../../common/message-of.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { SavedForm } from '../../../ui/fields/saved-form.tsx';

/** A dialog with a form. */
export function FormDialog(parts: {
  title: string;
  /** The label of the button. */
  action: string;
  isPending: boolean;
  /** The last error, or null. */
  error: unknown;
  /** Whether the form can be submitted. */
  isReady?: boolean;
  /** Whether the action cannot be undone. */
  isGrave?: boolean;
  size?: string;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const { title, action, isPending, error, onSubmit, onClose, children } = parts;
  const { isReady = true, isGrave = false, size = 'md' } = parts;
  const submit = () => {
    if (isReady && !isPending) onSubmit();
  };
  return (
    <Dialog onClose={onClose} title={title} size={size}>
      <SavedForm isSaving={isPending} onSubmit={submit}>
        <Stack>{children}</Stack>
        {error !== null && <Alert color="red" role="alert" mt="md" title={messageOf(error)} />}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            type="submit"
            loading={isPending}
            disabled={!isReady}
            {...(isGrave ? { color: 'red.9' } : {})}
          >
            {action}
          </Button>
        </Group>
      </SavedForm>
    </Dialog>
  );
}
