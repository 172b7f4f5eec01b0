import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { messageOf } from '../../../common/message-of.ts';
import { SavedForm } from '../../../ui/fields/saved-form.tsx';
import { LoginTooOld, ProofCancelled, useOwnerProof } from '../owner-proof.tsx';
import { useAuthMethods } from '../use-security.ts';
import { canUsePasskeys, createPasskey, faultOf } from './passkeys.ts';

const MAX_NAME_LENGTH = 64;

/** Adds a passkey, or explains why this browser cannot create one here. */
export function PasskeyForm({ onAdded }: { readonly onAdded: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [isTried, setTried] = useState(false);
  const { data: methods } = useAuthMethods();
  const { runWithProof, dialog } = useOwnerProof();
  const add = useMutation({
    mutationFn: async () => {
      const options = await runWithProof((body) => ask('POST /api/user/passkeys/options', { body }));
      const credential = await createPasskey(options);
      return ask('POST /api/user/passkeys', { body: { name, credential } });
    },
    onSuccess: () => {
      setName('');
      setTried(false);
      onAdded();
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: KEYS.passkeys() });
      void queries.invalidateQueries({ queryKey: KEYS.security() });
    },
  });
  const submit = () => {
    setTried(true);
    if (name.trim() !== '') add.mutate();
  };
  if (methods === undefined) return null;
  if (!methods.passkeys || !canUsePasskeys()) {
    return (
      <Text size="sm" c="dimmed">
        {t('security.passkeysElsewhere')}
      </Text>
    );
  }
  const textOf = (error: Error) => {
    if (error instanceof LoginTooOld) return t('security.loginTooOld');
    const fault = faultOf(error);
    return fault === undefined ? messageOf(error) : t(`security.${fault}`);
  };
  return (
    <SavedForm isSaving={add.isPending} onSubmit={submit} noValidate>
      {dialog}
      <Stack maw={400}>
        {add.error !== null && !(add.error instanceof ProofCancelled) && (
          <Alert color="red" role="alert">
            {textOf(add.error)}
          </Alert>
        )}
        <TextInput
          size="md"
          label={t('security.passkeyName')}
          description={t('security.passkeyNameHint')}
          maxLength={MAX_NAME_LENGTH}
          value={name}
          error={isTried && name.trim() === '' && t('auth.faultMissing')}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <Group justify="flex-end">
          <Button type="submit" mih="var(--tap-size)" loading={add.isPending}>
            {t('security.addPasskey')}
          </Button>
        </Group>
      </Stack>
    </SavedForm>
  );
}
