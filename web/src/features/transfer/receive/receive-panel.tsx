import { Alert, Button, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/api-error.ts';
import { KEYS } from '../../../api/keys.ts';
import { messageOf } from '../../../common/message-of.ts';
import { formatDuration } from '../progress/durations.ts';
import { isWholeCode, readTypedCode } from '../session/pickup-code.ts';
import { lookUpSession } from '../session/sessions.ts';
import { CodeField } from './code-field.tsx';
import { Offer } from './offer.tsx';
import { StoredOffer } from './stored-offer.tsx';

/** The receiving side: asks for a code, or shows what the code of the address is for. */
export function ReceivePanel({ code }: { readonly code: string | undefined }) {
  const { t } = useTranslation();
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} component="section" aria-labelledby="receive">
      <Stack gap="md">
        <Title order={2} size="h4" id="receive">
          {t('transfer.receive')}
        </Title>
        {code === undefined ? <CodeField /> : <Found key={code} typed={code} />}
      </Stack>
    </Paper>
  );
}

function Found({ typed }: { typed: string }) {
  const { t } = useTranslation();
  const read = readTypedCode(typed);
  const { data: session, error } = useQuery({
    queryKey: [...KEYS.transfers(), 'code', read.code],
    queryFn: ({ signal }) => lookUpSession(read.code, signal),
    enabled: isWholeCode(read),
    // What is refused is counted against this address: it is asked for once.
    retry: false,
    refetchOnWindowFocus: false,
    gcTime: 0,
    // The sender is still storing.
    refetchInterval: ({ state }) => (state.data?.status === 'UPLOADING' ? 2_000 : false),
  });
  if (!isWholeCode(read)) return <CodeField first={typed} />;
  if (error !== null) {
    return (
      <>
        <Alert color="red" role="alert" icon={<IconInfoCircle aria-hidden />}>
          {wordsFor(error, t)}
        </Alert>
        <CodeField first={typed} />
      </>
    );
  }
  if (session === undefined) return <Skeleton h={120} aria-label={t('transfer.looking')} role="status" />;
  return (
    <>
      {session.mode === 'ONLINE' ? <Offer session={session} /> : <StoredOffer session={session} />}
      <Text size="sm">
        <Button
          renderRoot={(props) => <Link to="/transfer/{-$code}" params={{}} {...props} />}
          variant="subtle"
          h={40}
          px="xs"
        >
          {t('transfer.otherCode')}
        </Button>
      </Text>
    </>
  );
}

function wordsFor(error: unknown, t: TFunction): string {
  if (error instanceof ApiError && error.status === 404) return t('transfer.wrongCode');
  if (error instanceof ApiError && error.status === 429) {
    return t('transfer.tooManyCodes', { time: formatDuration(error.retryAfter ?? 60) });
  }
  return messageOf(error);
}
