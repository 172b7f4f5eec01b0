import { Alert, Button } from '@mantine/core';
import { IconAlertCircle, IconLogin2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { useSignOn } from './use-sign-on.ts';

/** The link to the single sign-on provider, and why the last login with it failed. */
export function SignOnButton({ signOn }: { readonly signOn: ReturnType<typeof useSignOn> }) {
  const { t } = useTranslation();
  const { name, url, fault, isPending } = signOn;
  return (
    <>
      {fault !== undefined && (
        <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />}>
          {t(`signOn.${fault}`)}
        </Alert>
      )}
      {name !== undefined && (
        <Button
          component="a"
          href={url}
          variant="default"
          size="md"
          leftSection={<IconLogin2 size={20} aria-hidden />}
          loading={isPending}
        >
          {t('signOn.logIn', { name })}
        </Button>
      )}
    </>
  );
}
