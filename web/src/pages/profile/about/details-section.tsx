import { Button, Group, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProfileBody, User } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { updateUser } from '../../../api/session.ts';
import { messageOf } from '../../../common/message-of.ts';
import {
  findBioFault,
  findDisplayNameFault,
  findEmailFault,
  findPhoneNumberFault,
  lengthOf,
  MAX_BIO,
  refusedField,
  withoutNone,
} from '../../../features/account/account-faults.ts';
import { useNotifyProofError, useOwnerProof } from '../../../features/account/owner-proof.tsx';
import { SavedForm } from '../../../ui/fields/saved-form.tsx';
import { notify, notifyText } from '../../../ui/notifications/notify.ts';
import { UnsavedQuestion } from '../unsaved-question.tsx';
import { EmailState } from './email-state.tsx';

const FIELDS = ['displayName', 'email', 'phoneNumber', 'bio'] as const;
type Field = (typeof FIELDS)[number];
type Details = Record<Field, string>;

/** The user's name, contact data and bio. */
export function DetailsSection({ user }: { user: User }) {
  const { t } = useTranslation();
  // Only edits are stored here, on top of the service's values. So changes from elsewhere become visible
  // and are not overwritten.
  const [edits, setEdits] = useState<Partial<Details>>({});
  const details = { ...toDetails(user), ...edits };
  const [isTried, setTried] = useState(false);
  const changes = changesOf(details, toDetails(user));
  const faults = findFaults(details, user);
  const { runWithProof, dialog } = useOwnerProof();
  const notifyProofError = useNotifyProofError();
  const save = useMutation({
    // Where mail is on, another e-mail address needs a recent login or the password.
    mutationFn: (body: ProfileBody) =>
      runWithProof((proof) => ask('PUT /api/user/profile', { body: { ...body, ...proof } })),
    onSuccess: ({ verificationMailed, ...saved }) => {
      updateUser(saved);
      setEdits({});
      setTried(false);
      notify(t('profile.saved'));
      if (verificationMailed === true) notify(t('mail.verificationSent', { email: saved.email }));
      if (verificationMailed === false) notifyText(t('mail.verificationNotSent'));
    },
    // A value that the service rejected is reported at its field, everything else as a notification.
    onError: (error) => refusedField(error, FIELDS) ?? notifyProofError(error),
  });
  const refused = refusedField(save.error, FIELDS);
  const submit = () => {
    setTried(true);
    if (Object.keys(faults).length === 0 && changes !== undefined) save.mutate(changes);
  };
  const discard = () => {
    setEdits({});
    save.reset();
  };
  const field = (name: Field) => {
    const fault = faults[name];
    const isChanged = details[name] !== toDetails(user)[name];
    return {
      value: details[name],
      error:
        refused === name
          ? messageOf(save.error)
          : fault !== undefined && (isTried || isChanged) && t(`auth.${fault}`),
      errorProps: refused === name ? { role: 'alert' } : {},
      onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
        setEdits((before) => ({ ...before, [name]: value }));
        // The rejection does not apply to the new value.
        if (refused === name) save.reset();
      },
    };
  };
  return (
    <>
      <UnsavedQuestion isChanged={changes !== undefined} />
      <SavedForm isSaving={save.isPending} onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            size="md"
            label={t('profile.displayName')}
            autoComplete="name"
            {...field('displayName')}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Stack gap="xs">
              <TextInput
                size="md"
                label={t('auth.email')}
                type="email"
                autoComplete="email"
                {...field('email')}
              />
              {user.email !== null && <EmailState email={user.email} isVerified={user.emailVerified} />}
            </Stack>
            <TextInput
              size="md"
              label={t('auth.phoneNumber')}
              type="tel"
              autoComplete="tel"
              {...field('phoneNumber')}
            />
          </SimpleGrid>
          <Textarea
            size="md"
            label={t('profile.bio')}
            description={t('profile.bioLeft', { count: Math.max(0, MAX_BIO - lengthOf(details.bio)) })}
            autosize
            minRows={2}
            maxRows={6}
            {...field('bio')}
          />
          <Group justify="flex-end">
            {changes !== undefined && (
              <Button variant="subtle" mih="var(--tap-size)" onClick={discard}>
                {t('profile.discard')}
              </Button>
            )}
            <Button
              type="submit"
              mih="var(--tap-size)"
              loading={save.isPending}
              disabled={changes === undefined}
            >
              {t('profile.save')}
            </Button>
          </Group>
        </Stack>
      </SavedForm>
      {dialog}
    </>
  );
}

function findFaults(details: Details, user: User) {
  return withoutNone({
    displayName: findDisplayNameFault(details.displayName),
    // An account without an email address may keep the empty field.
    email: details.email === '' && user.email === null ? undefined : findEmailFault(details.email),
    phoneNumber:
      details.phoneNumber === '' && user.phoneNumber === null
        ? undefined
        : findPhoneNumberFault(details.phoneNumber),
    bio: findBioFault(details.bio),
  });
}

function toDetails({ displayName, email, phoneNumber, bio }: User): Details {
  return { displayName, email: email ?? '', phoneNumber: phoneNumber ?? '', bio: bio ?? '' };
}

/** Only the changed members; undefined if there are none. */
function changesOf(details: Details, before: Details): ProfileBody | undefined {
  const changed = FIELDS.filter((name) => details[name] !== before[name]);
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map((name) => [name, details[name]]));
}
