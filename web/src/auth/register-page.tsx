import { Anchor, Button, PasswordInput, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ChangeEvent, type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LoginState, RegisterBody } from '../../../server/src/contract.ts';
import { ask } from '../api/ask.ts';
import { startSession } from '../api/session.ts';
import { FrontPage } from './front-page.tsx';

const NOTHING_YET: RegisterBody = {
  username: '',
  email: '',
  phoneNumber: '',
  password: '',
  confirmPassword: '',
  // Whoever invites may send the code as part of the address.
  inviteCode: new URLSearchParams(window.location.search).get('code') ?? '',
};

export function RegisterPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [body, setBody] = useState(NOTHING_YET);
  const register = useMutation({
    mutationFn: () => ask<LoginState>('POST', '/api/auth/register', { body }),
    onSuccess: (state) => {
      startSession(state);
      return navigate({ to: '/' });
    },
  });
  const differ = body.confirmPassword !== '' && body.confirmPassword !== body.password;
  const field = (name: keyof RegisterBody) => ({
    label: t(`auth.${name}`),
    required: true,
    value: body[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      const { value } = event.currentTarget;
      setBody((before) => ({ ...before, [name]: value }));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!differ) register.mutate();
  };
  return (
    <FrontPage title={t('auth.join')} error={register.error} onSubmit={submit}>
      <TextInput {...field('inviteCode')} description={t('auth.inviteHint')} autoComplete="off" />
      <TextInput {...field('username')} autoComplete="username" minLength={3} maxLength={64} />
      <TextInput {...field('email')} type="email" autoComplete="email" />
      <TextInput {...field('phoneNumber')} type="tel" autoComplete="tel" />
      <PasswordInput
        {...field('password')}
        description={t('auth.passwordHint')}
        autoComplete="new-password"
        minLength={8}
        maxLength={128}
      />
      <PasswordInput
        {...field('confirmPassword')}
        autoComplete="new-password"
        error={differ && t('auth.passwordsDiffer')}
      />
      <Button type="submit" loading={register.isPending}>
        {t('auth.register')}
      </Button>
      <Text size="sm" ta="center">
        {t('auth.hasAccount')}{' '}
        <Anchor component={Link} to="/login" size="sm" underline="always">
          {t('auth.logIn')}
        </Anchor>
      </Text>
    </FrontPage>
  );
}
