import {
  Alert,
  Anchor,
  Button,
  Center,
  type InputWrapperProps,
  Loader,
  Stack,
  TextInput,
} from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Invitation } from '../../../../client/src/client.ts';
import { HoldallError } from '../../../../client/src/errors/errors.ts';
import { ask, queryOf } from '../../api/ask.ts';
import { deviceHeaders } from '../../api/device.ts';
import { KEYS } from '../../api/keys.ts';
import { startSession } from '../../api/session.ts';
import { useInstance } from '../../api/use-instance.ts';
import { messageOf } from '../../common/message-of.ts';
import { findRegistrationFaults, type RegistrationForm } from '../../features/account/account-faults.ts';
import { useFormFields } from '../../features/account/form-fields.ts';
import { readFragment, removeFragment } from '../../features/account/use-link-token.ts';
import { useIsMailOn } from '../../features/account/use-security.ts';
import { currentLanguage } from '../../messages/i18n.ts';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { FrontFrame, FrontPage } from './front-page.tsx';
import { keepInviteCode, keptInviteCode } from './invite-code.ts';

type Field = keyof RegistrationForm;

/** What the label of a field does not say is below it, so that people read it when they have the field. */
const HINT_BELOW: NonNullable<InputWrapperProps['inputWrapperOrder']> = [
  'label',
  'input',
  'description',
  'error',
];

/** Creates an account. Opened by an invitation, it says who invites, and checks the invitation first. */
export function RegisterPage() {
  const { next } = useSearch({ from: '/register' });
  const form = useRegistrationForm(next);
  const { code } = form;
  const { data: invitation, error, isLoading } = useInvitation(code);
  if (isLoading) return <Checking />;
  if (error instanceof HoldallError && error.status === 400) {
    return <SpentInvitation next={next} onOtherCode={form.forgetCode} />;
  }
  return <RegistrationPage form={form} next={next} invitation={invitation} />;
}

/** Whose invitation it is. Fails if the code cannot be used. @param code undefined if there was none in a link */
function useInvitation(code: string | undefined) {
  return useQuery({
    ...queryOf(KEYS.invitation(code ?? ''), 'POST /api/auth/invitation', {
      body: { inviteCode: code ?? '' },
    }),
    enabled: code !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function Checking() {
  const { t } = useTranslation();
  return (
    <FrontFrame title={t('auth.join')} foot={null}>
      <Center mih={120} role="status" aria-label={t('auth.checkingInvitation')}>
        <Loader size="sm" />
      </Center>
    </FrontFrame>
  );
}

/** An invitation that cannot be used. Says so before anything is typed. */
function SpentInvitation({
  next,
  onOtherCode,
}: {
  readonly next: string | undefined;
  onOtherCode: () => void;
}) {
  const { t } = useTranslation();
  return (
    <FrontFrame title={t('auth.invitationSpentTitle')} foot={<ToLogin next={next} />}>
      <Stack>
        <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />}>
          {t('auth.invitationSpent')}
        </Alert>
        <Button variant="default" size="md" onClick={onOtherCode}>
          {t('auth.otherCode')}
        </Button>
      </Stack>
    </FrontFrame>
  );
}

function ToLogin({ next }: { readonly next: string | undefined }) {
  const { t } = useTranslation();
  return (
    <>
      {t('auth.hasAccount')}{' '}
      <Anchor
        renderRoot={(props) => <Link {...props} to="/login" search={next === undefined ? {} : { next }} />}
        size="sm"
        underline="always"
      >
        {t('auth.logIn')}
      </Anchor>
    </>
  );
}

interface RegistrationPageProps {
  readonly form: ReturnType<typeof useRegistrationForm>;
  readonly next: string | undefined;
  /** Undefined without an invitation, and if it could not be read. */
  readonly invitation: Invitation | undefined;
}

function RegistrationPage({ form, next, invitation }: RegistrationPageProps) {
  const { t } = useTranslation();
  const { name: instance } = useInstance();
  const isMailOn = useIsMailOn();
  const { code, field, refused, register, submit } = form;
  // A code from a link is only shown if it was refused: someone else may have used it meanwhile.
  const hasCodeField = code === undefined || refused === 'inviteCode';
  return (
    <FrontPage
      title={titleOf(invitation)}
      action={t('auth.register')}
      error={refused === undefined ? register.error : null}
      failedAt={register.error === null ? 0 : register.submittedAt}
      isPending={register.isPending}
      onSubmit={submit}
      foot={<ToLogin next={next} />}
    >
      {hasCodeField && (
        <TextInput
          size="md"
          {...field('inviteCode')}
          description={t('auth.inviteHint')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
        />
      )}
      <TextInput
        size="md"
        {...field('username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={!hasCodeField}
      />
      <PasswordField
        size="md"
        {...field('password')}
        description={t('auth.passwordHint')}
        inputWrapperOrder={HINT_BELOW}
        autoComplete="new-password"
      />
      <TextInput
        size="md"
        {...field('email')}
        description={t(isMailOn ? 'auth.whyEmailMailed' : 'auth.whyEmail')}
        inputWrapperOrder={HINT_BELOW}
        type="email"
        autoComplete="email"
      />
      <TextInput
        size="md"
        {...field('phoneNumber')}
        description={t('auth.whyPhone')}
        inputWrapperOrder={HINT_BELOW}
        type="tel"
        autoComplete="tel"
      />
    </FrontPage>
  );

  function titleOf(invited: Invitation | undefined): string {
    if (invited === undefined) return t('auth.joinInstance', { instance });
    const { inviterName: name } = invited;
    return name === null ? t('auth.invited', { instance }) : t('auth.invitedBy', { name, instance });
  }
}

/** The registration form: its values, its faults and its request. @param next the page to open afterwards */
function useRegistrationForm(next: string | undefined) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const hash = useLocation({ select: (location) => location.hash });
  const [body, setBody] = useState(() => emptyForm(hash));
  /** The code that came with the link, so no one has to be asked for it. */
  const [code, setCode] = useState(body.inviteCode === '' ? undefined : body.inviteCode);
  useEffect(() => {
    // The form stays when a mailed invitation is opened in its tab.
    const inviteCode = readFragment(hash, 'code');
    if (inviteCode === undefined) return;
    setBody((before) => ({ ...before, inviteCode }));
    setCode(inviteCode);
    keepInviteCode(inviteCode);
    removeFragment();
  }, [hash]);
  /** The fields that the user has left. Faults in the others are not shown yet. */
  const [left, setLeft] = useState<ReadonlySet<Field>>(new Set());
  const [isTried, setTried] = useState(false);
  const register = useMutation({
    mutationFn: () =>
      ask('POST /api/auth/register', {
        body: {
          ...body,
          inviteCode: body.inviteCode.trim(),
          // People can look at what they typed, so they need not type it again.
          confirmPassword: body.password,
          preferredLanguage: currentLanguage(),
        },
        headers: deviceHeaders(),
      }),
    onSuccess: (state) => {
      keepInviteCode(undefined);
      startSession(state);
      return navigate({ href: next ?? '/', replace: true });
    },
  });
  const faults = findRegistrationFaults(body);
  const fields = useFormFields({
    ...{ values: body, setValues: setBody, faults, request: register, textOfError: messageOf },
    isFaultShown: (name) => isTried || (left.has(name) && body[name] !== ''),
  });
  const field = (name: Field) => ({
    name,
    label: t(`auth.${name}`),
    required: true,
    ...fields.field(name),
    onBlur: () => setLeft((before) => new Set([...before, name])),
  });
  const submit = () => {
    setTried(true);
    if (Object.keys(faults).length === 0) register.mutate();
  };
  const forgetCode = () => {
    keepInviteCode(undefined);
    setCode(undefined);
    setBody((before) => ({ ...before, inviteCode: '' }));
  };
  return { code, field, refused: fields.refused, register, submit, forgetCode };
}

/** @param hash the fragment of the URL, which contains the code of a mailed invitation */
function emptyForm(hash: string): RegistrationForm {
  return {
    username: '',
    email: '',
    phoneNumber: '',
    password: '',
    // Links that administrators pass on themselves have the code in the query.
    inviteCode:
      readFragment(hash, 'code') ??
      new URLSearchParams(window.location.search).get('code') ??
      keptInviteCode() ??
      '',
  };
}
