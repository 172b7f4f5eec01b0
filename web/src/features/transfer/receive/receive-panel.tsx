import { Alert, Button, Paper, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { groupSecret, readTypedSecret } from '../../../../../client/src/transfer/encryption/secret.ts';
import {
  groupCode,
  isWholeCode,
  readTypedCode,
  type TypedCode,
} from '../../../../../client/src/transfer/session/pickup-code.ts';
import { KEYS } from '../../../api/keys.ts';
import { messageOf } from '../../../common/message-of.ts';
import { formatDuration } from '../progress/durations.ts';
import { lookUpSession } from '../session/sessions.ts';
import classes from '../transfer.module.css';
import { FoundSession } from './found-session.tsx';

/** The receiving side: asks for a code, or shows what the code in the address offers. */
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
    ...codeQuery(read.code),
    enabled: isWholeCode(read),
    refetchOnWindowFocus: false,
    // Polls while the sender is still uploading, or until another receiver leaves.
    refetchInterval: ({ state }) =>
      state.data?.status === 'UPLOADING' ? 2_000 : state.data?.status === 'JOINED' ? 5_000 : false,
  });
  if (!isWholeCode(read)) return <CodeField first={typed} />;
  if (error !== null) {
    return (
      <>
        <Alert color="red" role="alert" icon={<IconInfoCircle aria-hidden />}>
          {textForError(error, t)}
        </Alert>
        <CodeField first={typed} />
      </>
    );
  }
  if (session === undefined) return <Skeleton h={120} aria-label={t('transfer.looking')} role="status" />;
  return (
    <>
      <FoundSession session={session} />
      <Text size="sm">
        <Button
          renderRoot={(props) => <Link to="/transfer/{-$code}" params={{ code: undefined }} {...props} />}
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

function codeQuery(code: string) {
  return {
    queryKey: [...KEYS.transfers(), 'code', code],
    queryFn: ({ signal }: { signal: AbortSignal }) => lookUpSession(code, signal),
    // A wrong code counts towards the limit of this IP address, so it is requested only once.
    retry: false,
    // Kept long enough for the page that opens next.
    gcTime: 5_000,
  } as const;
}

function textForError(error: unknown, t: TFunction): string {
  if (error instanceof HoldallError && error.status === 404) return t('transfer.wrongCode');
  if (error instanceof HoldallError && error.status === 429) {
    return t('transfer.tooManyCodes', { time: formatDuration(error.retryAfterSeconds ?? 60) });
  }
  return messageOf(error);
}

/**
 * An input for a typed or pasted code, or a pasted link. The address of the page changes only if the code
 * exists, so the user can correct a mistyped one.
 */
function CodeField({ first = '' }: { readonly first?: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [typed, setTyped] = useState(() => readTypedCode(first));
  const latest = useRef(typed);
  const queryClient = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const find = useMutation({
    mutationFn: (code: string) => queryClient.fetchQuery(codeQuery(code)),
    // Uses the latest text, because the user may have typed more of the secret meanwhile.
    onSuccess: (_session, code) =>
      navigate({ to: '/transfer/{-$code}', params: { code }, hash: latest.current.rest }),
    // The button was disabled during the request and has lost the focus.
    onError: () => {
      if (document.activeElement === document.body) field.current?.focus();
    },
  });
  const go = (code: string) => {
    if (!find.isPending) find.mutate(code);
  };
  const change = (text: string) => {
    const read = readTypedCode(text);
    setTyped(read);
    latest.current = read;
    if (read.code !== typed.code) find.reset();
    // A complete code is submitted without a click.
    if (isWholeCode(read) && read.code !== typed.code) go(read.code);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isWholeCode(typed)) go(typed.code);
  };
  const strange = typed.strange.join(' ');
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {find.error !== null && (
          <Alert color="red" role="alert" icon={<IconInfoCircle aria-hidden />}>
            {textForError(find.error, t)}
          </Alert>
        )}
        <TextInput
          ref={field}
          className={classes.typedCode}
          label={t('transfer.code')}
          description={t('transfer.codeHint')}
          placeholder="ABC 234"
          // Invalid characters stay visible, so the user can correct them.
          value={toShown(typed)}
          error={strange === '' ? find.error !== null : t('transfer.codeStrange', { strange })}
          onChange={(event) => change(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          inputMode="text"
        />
        <Button type="submit" h={44} disabled={!isWholeCode(typed)} loading={find.isPending}>
          {t('transfer.look')}
        </Button>
      </Stack>
    </form>
  );
}

/** The code in two groups, followed by the typed part of a secret. */
function toShown({ code, strange, rest }: TypedCode): string {
  if (strange.length > 0) return `${groupCode(code)} ${strange.join(' ')}`;
  const { secret } = readTypedSecret(rest);
  return secret === '' ? groupCode(code) : `${groupCode(code)}-${groupSecret(secret)}`;
}
