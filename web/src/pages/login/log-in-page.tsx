import { Alert, Anchor, Button, TextInput } from '@mantine/core';
import { IconArrowsExchange, IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LoginState } from '../../../../client/src/client.ts';
import { HoldallError } from '../../../../client/src/errors/errors.ts';
import { ask } from '../../api/ask.ts';
import type { SessionEnd } from '../../api/contract.ts';
import { deviceHeaders } from '../../api/device.ts';
import { lastSessionEnd } from '../../api/session.ts';
import { useInstance } from '../../api/use-instance.ts';
import { messageOf } from '../../common/message-of.ts';
import { faultOf } from '../../features/account/second-factors/passkeys.ts';
import { useIsMailOn } from '../../features/account/use-security.ts';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { CodeForm } from './code-form.tsx';
import { FrontPage } from './front-page.tsx';
import { rememberLoginPassword } from './login-password.ts';
import { SignOnButton } from './sign-on-button.tsx';
import { useFinishLogin } from './use-finish-login.ts';
import { usePasskey } from './use-passkey.ts';
import { useSignOn } from './use-sign-on.ts';

/** The text for each reason that the service reports for the end of a session. */
const END_TEXTS = {
  'logged-out': 'auth.endLoggedOut',
  'logged-out-elsewhere': 'auth.endLoggedOutElsewhere',
  'password-changed': 'auth.endPasswordChanged',
  'password-reset': 'auth.endPasswordReset',
  banned: 'auth.banned',
  deleted: 'auth.endDeleted',
  replaced: 'auth.endReplaced',
  'too-many': 'auth.endTooMany',
  expired: 'auth.endExpired',
} as const satisfies Record<SessionEnd, string>;

/** The login: a password (with a code if the account has a second factor), or a passkey. */
export function LogInPage() {
  const { t } = useTranslation();
  const { next } = useSearch({ from: '/login' });
  const enter = useFinishLogin(next);
  const [ticket, setTicket] = useState<string>();
  const [notice, setNotice] = useState<string>();
  if (ticket === undefined) {
    return <PasswordForm next={next} notice={notice} onEnter={enter} onTicket={setTicket} />;
  }
  const goBack = (isEnded: boolean) => {
    setNotice(isEnded ? t('auth.loginExpired') : undefined);
    setTicket(undefined);
  };
  return <CodeForm ticket={ticket} onEnter={enter} onBack={goBack} />;
}

interface PasswordFormProps {
  readonly next: string | undefined;
  /** Shown until there is an error. */
  readonly notice: string | undefined;
  readonly onEnter: (state: LoginState) => Promise<void>;
  /** Called if the password is correct and a code must follow. */
  readonly onTicket: (ticket: string) => void;
}

function PasswordForm({ next, notice, onEnter, onTicket }: PasswordFormProps) {
  const { t } = useTranslation();
  const { name: instance } = useInstance();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [isTried, setTried] = useState(false);
  const passwordField = useRef<HTMLInputElement>(null);
  const [end] = useState(lastSessionEnd);
  const logIn = useMutation({
    mutationFn: () =>
      ask('POST /api/auth/login', {
        body: { username: username.trim(), password },
        headers: deviceHeaders(),
      }),
    onSuccess: (state) => {
      if (state.mustChangePassword) rememberLoginPassword(state.user.id, password);
      return onEnter(state);
    },
    onError: (error) => {
      const ticket = findTicket(error);
      if (ticket === undefined) passwordField.current?.select();
      else onTicket(ticket);
    },
  });
  const passkey = usePasskey(onEnter);
  const signOn = useSignOn(onEnter, next);
  const isWrong = logIn.error instanceof HoldallError && logIn.error.status === 401;
  const clearWrongLogin = () => {
    if (isWrong) logIn.reset();
  };
  const submit = () => {
    setTried(true);
    if (username.trim() !== '' && password !== '') logIn.mutate();
  };
  return (
    <FrontPage
      title={t('auth.welcome', { instance })}
      action={t('auth.logIn')}
      notice={notice ?? (end && t(isKnown(end) ? END_TEXTS[end] : 'auth.ended'))}
      error={isWrong ? null : logIn.error}
      failedAt={logIn.error === null ? 0 : logIn.submittedAt}
      isPending={logIn.isPending}
      isLogin
      onSubmit={submit}
      otherWays={
        <>
          {passkey.isOffered && <PasskeyButton passkey={passkey} />}
          <SignOnButton signOn={signOn} />
        </>
      }
      foot={<LoginFoot next={next} />}
    >
      <TextInput
        size="md"
        label={t('auth.username')}
        // Browsers also suggest passkeys here.
        autoComplete={passkey.isOffered ? 'username webauthn' : 'username'}
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus
        value={username}
        error={isTried && username.trim() === '' && t('auth.faultMissing')}
        onChange={(event) => {
          setUsername(event.currentTarget.value);
          clearWrongLogin();
        }}
      />
      <PasswordField
        size="md"
        ref={passwordField}
        label={t('auth.password')}
        autoComplete="current-password"
        required
        value={password}
        error={isWrong ? t('auth.wrong') : isTried && password === '' && t('auth.faultMissing')}
        errorProps={{ role: 'alert' }}
        onChange={(event) => {
          setPassword(event.currentTarget.value);
          clearWrongLogin();
        }}
      />
      <ForgotPassword />
    </FrontPage>
  );
}

function ForgotPassword() {
  const { t } = useTranslation();
  if (!useIsMailOn()) return null;
  return (
    <Anchor
      renderRoot={(props) => <Link {...props} to="/forgot-password" />}
      size="sm"
      underline="always"
      style={{ alignSelf: 'flex-end' }}
    >
      {t('mail.forgot')}
    </Anchor>
  );
}

/** Links for visitors without an account. */
function LoginFoot({ next }: { readonly next: string | undefined }) {
  const { t } = useTranslation();
  return (
    <>
      {t('auth.noAccount')}{' '}
      <Anchor
        renderRoot={(props) => <Link {...props} to="/register" search={next === undefined ? {} : { next }} />}
        size="sm"
        underline="always"
      >
        {t('auth.register')}
      </Anchor>
      <Button
        renderRoot={(props) => <Link {...props} to="/transfer/{-$code}" params={{ code: undefined }} />}
        variant="default"
        fullWidth
        h={40}
        mt="lg"
        leftSection={<IconArrowsExchange size={18} aria-hidden />}
      >
        {t('auth.toTransfer')}
      </Button>
    </>
  );
}

function PasskeyButton({ passkey: { logIn, fault } }: { passkey: ReturnType<typeof usePasskey> }) {
  const { t } = useTranslation();
  return (
    <>
      {fault !== undefined && (
        <Alert color="red" role="alert">
          {textOfPasskeyFault()}
        </Alert>
      )}
      <Button
        variant="default"
        size="md"
        leftSection={<IconFingerprint size={20} aria-hidden />}
        loading={logIn.isPending}
        onClick={() => logIn.mutate()}
      >
        {t('auth.usePasskey')}
      </Button>
    </>
  );

  function textOfPasskeyFault(): string {
    const name = faultOf(fault);
    if (name !== undefined) return t(`security.${name}`);
    if (fault instanceof HoldallError && fault.status === 401) return t('auth.passkeyWrong');
    if (fault instanceof HoldallError && fault.status === 403) return t('auth.banned');
    return messageOf(fault);
  }
}

function isKnown(end: string): end is SessionEnd {
  return Object.hasOwn(END_TEXTS, end);
}

/** The ticket with which a code finishes the login; undefined for a wrong password. */
function findTicket(error: Error): string | undefined {
  if (!(error instanceof HoldallError) || error.status !== 401) return undefined;
  const { data } = error;
  if (typeof data !== 'object' || data === null || !('ticket' in data)) return undefined;
  return typeof data.ticket === 'string' ? data.ticket : undefined;
}
