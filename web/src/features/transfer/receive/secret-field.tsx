import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  groupSecret,
  isWholeSecret,
  readTypedSecret,
  type TypedSecret,
} from '../../../../../client/src/transfer/encryption/secret.ts';
import classes from '../transfer.module.css';

interface SecretFieldProps {
  /** The part of the secret that is already known. */
  readonly first: string;
  /** Whether `first` is a secret that does not open this transfer. */
  readonly isWrong: boolean;
  readonly onSecret: (secret: string) => void;
}

/** An input for the secret of an encrypted transfer, typed or pasted. */
export function SecretField({ first, isWrong, onSecret }: SecretFieldProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<TypedSecret>(() => readTypedSecret(first));
  const isSame = typed.secret === readTypedSecret(first).secret;
  const isReady = isWholeSecret(typed) && !(isWrong && isSame);
  const change = (text: string) => {
    const read = readTypedSecret(text);
    setTyped(read);
    // A complete secret is used without a click.
    if (isWholeSecret(read) && read.secret !== typed.secret) onSecret(read.secret);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) onSecret(typed.secret);
  };
  const strange = typed.strange.join(' ');
  const grouped = groupSecret(typed.secret);
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {isWrong && isSame && (
          <Alert color="red" role="alert" icon={<IconInfoCircle aria-hidden />}>
            {t('transfer.wrongSecret')}
          </Alert>
        )}
        <TextInput
          className={classes.typedSecret}
          label={t('transfer.secret')}
          description={t('transfer.secretHint')}
          placeholder="XXXX-XXXX-XXXX-XXXX"
          // Invalid characters stay visible, so the user can correct them.
          value={strange === '' ? grouped : `${grouped} ${strange}`}
          error={strange === '' ? undefined : t('transfer.secretStrange', { strange })}
          onChange={(event) => change(event.currentTarget.value)}
          autoFocus
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          inputMode="text"
        />
        <Button type="submit" h={44} disabled={!isReady}>
          {t('transfer.decrypt')}
        </Button>
      </Stack>
    </form>
  );
}
