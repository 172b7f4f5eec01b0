import { Button, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { groupCode, isWholeCode, readTypedCode } from '../session/pickup-code.ts';
import classes from '../transfer.module.css';

/** Takes a code as it is typed, or a code or link as it is pasted. */
export function CodeField({ first = '' }: { readonly first?: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [typed, setTyped] = useState(() => readTypedCode(first));
  const go = (code: string) => void navigate({ to: '/transfer/{-$code}', params: { code } });
  const change = (text: string) => {
    const read = readTypedCode(text);
    setTyped(read);
    // A whole code that was not there before needs no further word.
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
        <TextInput
          className={classes.typedCode}
          label={t('transfer.code')}
          description={t('transfer.codeHint')}
          placeholder="ABC 234"
          // What is strange stays to be seen, so that it can be put right.
          value={strange === '' ? groupCode(typed.code) : `${groupCode(typed.code)} ${strange}`}
          error={strange === '' ? undefined : t('transfer.codeStrange', { strange })}
          onChange={(event) => change(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          inputMode="text"
        />
        <Button type="submit" h={44} disabled={!isWholeCode(typed)}>
          {t('transfer.look')}
        </Button>
      </Stack>
    </form>
  );
}
