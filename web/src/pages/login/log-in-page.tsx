import { Anchor, Button, TextInput } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/api-error.ts';
import { ask } from '../../api/ask.ts';
import type { LoginState } from '../../api/contract.ts';
import { deviceHeaders } from '../../api/device.ts';
import { lastSessionEnd, startSession } from '../../api/session.ts';
import { suggestLanguage } from '../../messages/i18n.ts';
import { PasswordField } from '../../ui/password-field.tsx';
import { FrontPage } from './front-page.tsx';

const END_TEXTS = { refused: 'auth.ended', banned: 'auth.banned' } as const;

export function LogInPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { next } = useSearch({ from: '/login' });
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [isTried, setTried] = useState(false);
  const passwordField = useRef<HTMLInputElement>(null);
  const [end] = useState(lastSessionEnd);
  const logIn = useMutation({
    mutationFn: () =>
      ask<LoginState>('POST', '/api/auth/login', {
        body: { username: username.trim(), password },
        headers: deviceHeaders(),
      }),
    onSuccess: async (state) => {
      await suggestLanguage(state.user.preferredLanguage);
      startSession(state);
      await navigate({ href: next ?? '/', replace: true });
    },
    onError: () => passwordField.current?.select(),
  });
  const isWrong = logIn.error instanceof ApiError && logIn.error.status === 401;
  const forgetWrong = () => {
    if (isWrong) logIn.reset();
  };
  const submit = () => {
    setTried(true);
    if (username.trim() !== '' && password !== '') logIn.mutate();
  };
  return (
    <FrontPage
      title={t('auth.welcome')}
      action={t('auth.logIn')}
      notice={end && t(END_TEXTS[end])}
      error={isWrong ? null : logIn.error}
      failedAt={logIn.error === null ? 0 : logIn.submittedAt}
      isPending={logIn.isPending}
      isLogin
      onSubmit={submit}
      foot={
        <>
          {t('auth.noAccount')}{' '}
          <Anchor
            renderRoot={(props) => (
              <Link {...props} to="/register" search={next === undefined ? {} : { next }} />
            )}
            size="sm"
            underline="always"
          >
            {t('auth.register')}
          </Anchor>
          <Button
            renderRoot={(props) => <Link {...props} to="/transfer/{-$code}" params={{}} />}
            variant="default"
            fullWidth
            h={40}
            mt="lg"
            leftSection={<IconArrowsExchange size={18} aria-hidden />}
          >
            {t('auth.toTransfer')}
          </Button>
        </>
      }
    >
      <TextInput
        size="md"
        label={t('auth.username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus
        value={username}
        error={isTried && username.trim() === '' && t('auth.faultMissing')}
        onChange={(event) => {
          setUsername(event.currentTarget.value);
          forgetWrong();
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
          forgetWrong();
        }}
      />
    </FrontPage>
  );
}
