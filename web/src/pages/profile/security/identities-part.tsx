import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccountSecurity } from '../../../../../client/src/client.ts';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { LinkIdentityButton } from '../../../features/account/link-identity.tsx';
import { useNotifyProofError } from '../../../features/account/notify-proof-error.ts';
import { useOwnerProof } from '../../../features/account/owner-proof.tsx';
import { useSignOnReturn } from '../../../features/account/sign-on-return.ts';
import { useAuthMethods } from '../../../features/account/use-security.ts';
import { formatTime } from '../../../messages/formats.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { notify, notifyText } from '../../../ui/notifications/notify.ts';
import { hostOf } from './host-of.ts';

type Identity = AccountSecurity['identities'][number];

/** The identities of single sign-on. Nothing where there are none and none can be linked. */
export function IdentitiesPart({ identities }: { readonly identities: readonly Identity[] }) {
  const { t } = useTranslation();
  const { data: methods } = useAuthMethods();
  const { fault, isLinked } = useSignOnReturn();
  useEffect(() => {
    if (isLinked) notify(t('security.identityLinked'));
  }, [isLinked, t]);
  const provider = methods?.singleSignOn?.name;
  if (provider === undefined && identities.length === 0) return null;
  return (
    <Stack gap="sm">
      <Title order={3} size="h6">
        {t('security.identities')}
      </Title>
      <Text size="sm" c="dimmed" maw={560}>
        {t('security.identitiesHint')}
      </Text>
      {fault !== undefined && (
        <Alert color="red" role="alert" ref={scrollTo}>
          {t(`signOn.${fault}`)}
        </Alert>
      )}
      <IdentityList identities={identities} />
      {provider !== undefined && <LinkIdentityButton name={provider} />}
    </Stack>
  );
}

function IdentityList({ identities }: { readonly identities: readonly Identity[] }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [identityToUnlink, setIdentityToUnlink] = useState<Identity>();
  const { runWithProof, dialog } = useOwnerProof();
  const notifyProofError = useNotifyProofError();
  const unlink = useMutation({
    mutationFn: ({ id }: Identity) =>
      runWithProof((body) => ask('DELETE /api/user/identities/{id}', { path: { id }, body })),
    // Another dialog may open next, which asks for the password.
    onMutate: () => setIdentityToUnlink(undefined),
    onSuccess: () => notify(t('security.identityUnlinked')),
    onError: (error) => {
      const isLastWay = error instanceof HoldallError && error.status === 400;
      if (isLastWay) notifyText(t('security.lastWay'));
      else notifyProofError(error);
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: KEYS.security() });
    },
  });
  if (identities.length === 0) return null;
  return (
    <>
      {dialog}
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {identities.map((identity) => (
          <Group component="li" key={identity.id} justify="space-between" wrap="nowrap" align="flex-start">
            <Stack gap={2} miw={0}>
              <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
                {hostOf(identity)}
              </Text>
              <Text size="sm" c="dimmed">
                {t('security.identityMade', { time: formatTime(identity.createdAt) })}
              </Text>
            </Stack>
            <Button
              variant="default"
              mih="var(--tap-size)"
              style={{ flexShrink: 0 }}
              aria-label={t('security.unlinkIdentity', { name: hostOf(identity) })}
              onClick={() => setIdentityToUnlink(identity)}
            >
              {t('security.unlink')}
            </Button>
          </Group>
        ))}
      </Stack>
      {identityToUnlink !== undefined && (
        <ConfirmDialog
          title={t('security.unlinkIdentity', { name: hostOf(identityToUnlink) })}
          text={t('security.unlinkIdentityText')}
          action={t('security.unlink')}
          isPending={unlink.isPending}
          onConfirm={() => unlink.mutate(identityToUnlink)}
          onClose={() => setIdentityToUnlink(undefined)}
        />
      )}
    </>
  );
}

/** The provider redirects to the profile page, and this part is far down on it. */
function scrollTo(notice: HTMLElement | null): void {
  notice?.scrollIntoView({ block: 'center' });
}
