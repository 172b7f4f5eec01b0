import { Alert, Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '../../common/message-of.ts';
import { SavedForm } from '../fields/saved-form.tsx';
import { Dialog } from './dialog.tsx';

interface FormDialogProps {
  readonly title: string;
  /** The label of the button. */
  readonly action: string;
  readonly isPending: boolean;
  /** Shown below the fields, unless it is null. */
  readonly error?: unknown;
  /** Whether the form can be submitted. */
  readonly isReady?: boolean;
  /** Whether the action cannot be undone. */
  readonly isGrave?: boolean;
  readonly size?: string;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog with a form. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, isPending, onSubmit, onClose, children } = props;
  const { error = null, isReady = true, isGrave = false, size = 'md' } = props;
  const { t } = useTranslation();
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
