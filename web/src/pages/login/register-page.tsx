import { Anchor, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../api/ask.ts';
import { deviceHeaders } from '../../api/device.ts';
import { startSession } from '../../api/session.ts';
import { messageOf } from '../../common/message-of.ts';
import { findRegistrationFaults, type RegistrationForm } from '../../features/account/account-faults.ts';
import { useFormFields } from '../../features/account/form-fields.ts';
import { readFragment, removeFragment } from '../../features/account/use-link-token.ts';
import { currentLanguage } from '../../messages/i18n.ts';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { FrontPage } from './front-page.tsx';
import { keepInviteCode, keptInviteCode } from './invite-code.ts';

type Field = keyof RegistrationForm;

export function RegisterPage() {
  const { t } = useTranslation();
  const { next } = useSearch({ from: '/register' });
  const { body, field, refused, register, submit, isInvited } = useRegistrationForm(next);
  return (
    <FrontPage
      title={t('auth.join')}
      action={t('auth.register')}
      error={refused === undefined ? register.error : null}
      failedAt={register.error === null ? 0 : register.submittedAt}
      isPending={register.isPending}
      onSubmit={submit}
      foot={
        <>
          {t('auth.hasAccount')}{' '}
          <Anchor
            renderRoot={(props) => (
              <Link {...props} to="/login" search={next === undefined ? {} : { next }} />
            )}
            size="sm"
            underline="always"
          >
            {t('auth.logIn')}
          </Anchor>
        </>
      }
    >
      <TextInput
        size="md"
        {...field('inviteCode')}
        description={isInvited ? undefined : t('auth.inviteHint')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={body.inviteCode === ''}
      />
      <TextInput
        size="md"
        {...field('username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={body.inviteCode !== ''}
      />
      <Text size="sm" c="dimmed">
        {t('auth.whyContact')}
      </Text>
      <TextInput size="md" {...field('email')} type="email" autoComplete="email" />
      <TextInput size="md" {...field('phoneNumber')} type="tel" autoComplete="tel" />
      <PasswordField
        size="md"
        {...field('password')}
        description={t('auth.passwordHint')}
        autoComplete="new-password"
      />
      <PasswordField size="md" {...field('confirmPassword')} autoComplete="new-password" />
    </FrontPage>
  );
}

/** The registration form: its values, its faults and its request. @param next the page to open afterwards */
function useRegistrationForm(next: string | undefined) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const hash = useLocation({ select: (location) => location.hash });
  const [body, setBody] = useState(() => emptyForm(hash));
  /** Whether the code came with the link, so no one has to be asked for it. */
  const [isInvited, setInvited] = useState(body.inviteCode !== '');
  useEffect(() => {
    // The form stays when a mailed invitation is opened in its tab.
    const inviteCode = readFragment(hash, 'code');
    if (inviteCode === undefined) return;
    setBody((before) => ({ ...before, inviteCode }));
    setInvited(true);
    keepInviteCode(inviteCode);
    removeFragment();
  }, [hash]);
  /** The fields that the user has left. Faults in the others are not shown yet. */
  const [left, setLeft] = useState<ReadonlySet<Field>>(new Set());
  const [isTried, setTried] = useState(false);
  const register = useMutation({
    mutationFn: () =>
      ask('POST /api/auth/register', {
        body: { ...body, inviteCode: body.inviteCode.trim(), preferredLanguage: currentLanguage() },
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
  return { body, field, refused: fields.refused, register, submit, isInvited };
}

/** @param hash the fragment of the URL, which contains the code of a mailed invitation */
function emptyForm(hash: string): RegistrationForm {
  return {
    username: '',
    email: '',
    phoneNumber: '',
    password: '',
    confirmPassword: '',
    // Links that administrators pass on themselves have the code in the query.
    inviteCode:
      readFragment(hash, 'code') ??
      new URLSearchParams(window.location.search).get('code') ??
      keptInviteCode() ??
      '',
  };
}
