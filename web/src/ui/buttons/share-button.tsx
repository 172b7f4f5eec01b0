import { Button, type ButtonProps } from '@mantine/core';
import { IconShare2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { notifyError } from '../notifications/notify.ts';

interface ShareButtonProps extends ButtonProps {
  readonly title: string;
  readonly url: string;
}

/** Passes a link on to another app with the device's share sheet. Renders nothing if there is none. */
export function ShareButton({ title, url, ...looks }: ShareButtonProps) {
  const { t } = useTranslation();
  if (typeof navigator.share !== 'function') return null;
  const send = async () => {
    try {
      await navigator.share({ title, url });
    } catch (error) {
      // The user cancelled.
      if (!(error instanceof DOMException && error.name === 'AbortError')) notifyError(error);
    }
  };
  return (
    <Button
      variant="default"
      leftSection={<IconShare2 size={16} aria-hidden />}
      {...looks}
      onClick={() => void send()}
    >
      {t('common.send')}
    </Button>
  );
}
