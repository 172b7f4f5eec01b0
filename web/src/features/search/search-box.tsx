import { ActionIcon, CloseButton, Kbd, TextInput } from '@mantine/core';
import { IconArrowLeft, IconSearch } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import classes from './search-box.module.css';
import { useSearchText } from './use-search-text.ts';
import { useSlash } from './use-slash.ts';

/** Where one types what to look for, in the header. On a phone it is behind a button, and covers the header. */
export function SearchBox() {
  const { t } = useTranslation();
  const { text, type, go } = useSearchText();
  const [isOpen, setIsOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const open = () => {
    // On a phone it has to be there first, and what is typed next is for it already.
    flushSync(() => setIsOpen(true));
    input.current?.focus();
    input.current?.select();
  };
  useSlash(open);
  const close = () => {
    input.current?.blur();
    flushSync(() => setIsOpen(false));
    opener.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    if (text === '') close();
    else type('');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    go();
    // Leaves the page to what was found, and puts the keyboard of a phone away.
    setIsOpen(false);
    input.current?.blur();
  };
  return (
    <>
      <ActionIcon
        ref={opener}
        className={classes.opener}
        variant="subtle"
        color="gray"
        size={40}
        aria-label={t('nav.search')}
        onClick={open}
      >
        <IconSearch size={20} aria-hidden />
      </ActionIcon>
      <search className={classes.place} data-open={isOpen || undefined}>
        <form onSubmit={submit} className={classes.form}>
          <ActionIcon
            className={classes.back}
            variant="subtle"
            color="gray"
            size={40}
            aria-label={t('search.close')}
            onClick={close}
          >
            <IconArrowLeft size={20} aria-hidden />
          </ActionIcon>
          <TextInput
            ref={input}
            className={classes.input}
            type="search"
            enterKeyHint="search"
            autoComplete="off"
            spellCheck={false}
            aria-label={t('search.label')}
            placeholder={t('search.label')}
            maxLength={255}
            leftSection={<IconSearch size={18} aria-hidden />}
            rightSection={
              text === '' ? (
                <Kbd className={classes.key} aria-hidden>
                  /
                </Kbd>
              ) : (
                <CloseButton aria-label={t('search.clear')} onClick={() => type('')} />
              )
            }
            value={text}
            onChange={(event) => type(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </form>
      </search>
    </>
  );
}
