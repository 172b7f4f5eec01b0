import { Button } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ask } from '../../api/ask.ts';
import { useNotifyProofError, useOwnerProof } from './owner-proof.tsx';

/** Opens the login page of the provider, which redirects to the profile. @param props.name of the provider */
export function LinkIdentityButton({ name }: { readonly name: string }) {
  const { t } = useTranslation();
  const { runWithProof, dialog } = useOwnerProof();
  const link = useMutation({
    mutationFn: () => runWithProof((body) => ask('POST /api/user/identities/oidc', { body })),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: useNotifyProofError(),
  });
  return (
    <>
      {dialog}
      <Button
        variant="default"
        mih="var(--tap-size)"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconLink size={18} aria-hidden />}
        // Stays busy after success, because the browser is leaving the page.
        loading={link.isPending || link.isSuccess}
        onClick={() => link.mutate()}
      >
        {t('security.linkIdentity', { name })}
      </Button>
    </>
  );
}
