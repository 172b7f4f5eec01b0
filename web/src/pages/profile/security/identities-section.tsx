import { Alert } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccountSecurity } from '../../../../../client/src/client.ts';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { LinkIdentityButton } from '../../../features/account/link-identity.tsx';
import { useNotifyProofError, useOwnerProof } from '../../../features/account/owner-proof.tsx';
import { useSignOnReturn } from '../../../features/account/sign-on-return.ts';
import { useAuthMethods } from '../../../features/account/use-security.ts';
import { formatTime } from '../../../messages/formats.ts';
import { notify, notifyText } from '../../../ui/notifications/notify.ts';
import { RemovableList } from '../account-list.tsx';
import { Hint, Section } from '../section.tsx';

type Identity = AccountSecurity['identities'][number];

/** The single sign-on identities. Renders nothing if there are none and none can be linked. */
export function IdentitiesSection({ identities }: { readonly identities: readonly Identity[] }) {
  const { t } = useTranslation();
  const { data: methods } = useAuthMethods();
  const { fault, isLinked } = useSignOnReturn();
  useEffect(() => {
    if (isLinked) notify(t('security.identityLinked'));
  }, [isLinked, t]);
  const provider = methods?.singleSignOn?.name;
  if (provider === undefined && identities.length === 0) return null;
  return (
    <Section title={t('security.identities')}>
      <Hint>{t('security.identitiesHint')}</Hint>
      {fault !== undefined && (
        <Alert color="red" role="alert" ref={scrollTo}>
          {t(`signOn.${fault}`)}
        </Alert>
      )}
      <IdentityList identities={identities} />
      {provider !== undefined && <LinkIdentityButton name={provider} />}
    </Section>
  );
}

function IdentityList({ identities }: { readonly identities: readonly Identity[] }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { runWithProof, dialog } = useOwnerProof();
  const notifyProofError = useNotifyProofError();
  const unlink = useMutation({
    mutationFn: ({ id }: Identity) =>
      runWithProof((body) => ask('DELETE /api/user/identities/{id}', { path: { id }, body })),
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
      <RemovableList
        items={identities}
        rowOf={(identity) => ({
          name: hostOf(identity),
          facts: [t('security.identityMade', { time: formatTime(identity.createdAt) })],
          action: t('security.unlink'),
          actionOf: t('security.unlinkIdentity', { name: hostOf(identity) }),
        })}
        question={t('security.unlinkIdentityText')}
        isPending={unlink.isPending}
        onRemove={(identity, close) => {
          // Another dialog may open next, which asks for the password.
          close();
          unlink.mutate(identity);
        }}
      />
    </>
  );
}

/** Scrolls to the notice: the provider redirects to this page, where this section is far down. */
function scrollTo(notice: HTMLElement | null): void {
  notice?.scrollIntoView({ block: 'center' });
}

/** Issuers are long URLs, but people recognise their hosts. */
export function hostOf({ issuer }: { readonly issuer: string }): string {
  return URL.canParse(issuer) ? new URL(issuer).host : issuer;
}
