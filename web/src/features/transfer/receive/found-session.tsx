import { Alert, Group, Loader, Skeleton, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { TransferRecord } from '../../../../../client/src/client.ts';
import { canEncrypt } from '../../../../../client/src/transfer/encryption/keys.ts';
import { findSecret } from '../../../../../client/src/transfer/encryption/secret.ts';
import {
  lacksEncryption,
  type OpenedTransfer,
  openWith,
} from '../../../../../client/src/transfer/session/opened-transfer.ts';
import { KEYS } from '../../../api/keys.ts';
import { formatNumber } from '../../../messages/formats.ts';
import { EncryptedNote } from '../progress/peer-note.tsx';
import { Offer } from './offer.tsx';
import { SecretField } from './secret-field.tsx';
import { StoredOffer } from './stored-offer.tsx';

/** The transfer that belongs to a code. An encrypted transfer is opened with its secret first. */
export function FoundSession({ session }: { readonly session: TransferRecord }) {
  const { t } = useTranslation();
  const hash = useLocation({ select: (location) => location.hash });
  const secret = findSecret(hash);
  if (session.encrypted && !canEncrypt()) return <Refusal>{t('transfer.decryptNeedsTls')}</Refusal>;
  if (session.encrypted) return <Encrypted session={session} typed={hash} secret={secret} />;
  // An attacker could otherwise remove the encryption and substitute other files.
  if (lacksEncryption(session, hash)) return <Refusal>{t('transfer.notEncrypted')}</Refusal>;
  return <OpenedSession opened={{ session, encryption: undefined }} />;
}

interface EncryptedProps {
  readonly session: TransferRecord;
  readonly typed: string;
  /** Undefined if the typed text is not a secret. */
  readonly secret: string | undefined;
}

function Encrypted({ session, typed, secret }: EncryptedProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: opened, isError } = useQuery({
    queryKey: [...KEYS.transfers(), 'opened', session.sessionId, secret],
    queryFn: () => openWith(session, secret),
    enabled: secret !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // The check sends no request to the service, so it also works offline.
    networkMode: 'always',
  });
  if (secret === undefined || isError) {
    const use = (entered: string) =>
      void navigate({
        to: '/transfer/{-$code}',
        params: { code: session.pickupCode },
        hash: entered,
        replace: true,
      });
    return (
      <>
        <EncryptedNote />
        <SecretField key={secret} first={typed} isWrong={isError} onSecret={use} />
      </>
    );
  }
  if (opened === undefined) {
    return <Skeleton h={120} aria-label={t('transfer.decrypting')} role="status" />;
  }
  // The session may have changed since it was opened.
  const { status } = session;
  return (
    <>
      <EncryptedNote />
      <OpenedSession
        opened={{ ...opened, session: { ...opened.session, status } }}
        stored={session.files.filter(({ uploaded }) => uploaded).length}
      />
    </>
  );
}

function OpenedSession({ opened, stored }: { readonly opened: OpenedTransfer; readonly stored?: number }) {
  const { t } = useTranslation();
  const { mode, status, files } = opened.session;
  if (mode === 'ONLINE') return <Offer opened={opened} />;
  if (status === 'READY') return <StoredOffer opened={opened} />;
  const there = stored ?? files.filter(({ uploaded }) => uploaded).length;
  return (
    <Group gap="sm" role="status" wrap="nowrap">
      <Loader size="sm" aria-hidden />
      <Text>
        {t('transfer.stillStoring', { there: formatNumber(there), total: formatNumber(files.length) })}
      </Text>
    </Group>
  );
}

function Refusal({ children }: { readonly children: string }) {
  return (
    <Alert color="red" role="alert" icon={<IconInfoCircle aria-hidden />}>
      {children}
    </Alert>
  );
}
