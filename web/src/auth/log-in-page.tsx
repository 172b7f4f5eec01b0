import { Anchor, Button, PasswordInput, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LoginState } from '../../../server/src/contract.ts';
import { ask } from '../api/ask.ts';
import { startSession } from '../api/session.ts';
import { FrontPage } from './front-page.tsx';

export function LogInPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { next } = useSearch({ from: '/login' });
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const logIn = useMutation({
    mutationFn: () => ask<LoginState>('POST', '/api/auth/login', { body: { username, password } }),
    onSuccess: (state) => {
      startSession(state);
      return navigate({ href: next ?? '/' });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    logIn.mutate();
  };
  return (
    <FrontPage title={t('auth.welcome')} error={logIn.error} onSubmit={submit}>
      <TextInput
        label={t('auth.username')}
        autoComplete="username"
        required
        autoFocus
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
      <PasswordInput
        label={t('auth.password')}
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" loading={logIn.isPending}>
        {t('auth.logIn')}
      </Button>
      <Text size="sm" ta="center">
        {t('auth.noAccount')}{' '}
        <Anchor component={Link} to="/register" size="sm" underline="always">
          {t('auth.register')}
        </Anchor>
      </Text>
    </FrontPage>
  );
}
