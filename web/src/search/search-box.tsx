import { ActionIcon, CloseButton, Kbd, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconArrowLeft, IconSearch } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './search-box.module.css';
import { useSearchText } from './use-search-text.ts';

/** Where one types what to look for, in the header. On a phone it is behind a button, and covers the header. */
export function SearchBox() {
  const { t } = useTranslation();
  const { text, type, go } = useSearchText();
  const [isOpen, setIsOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const open = () => {
    setIsOpen(true);
    // Once it is there to be written into.
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.select();
    });
  };
  useHotkeys([['/', open]]);
  const close = () => {
    setIsOpen(false);
    input.current?.blur();
    requestAnimationFrame(() => opener.current?.focus());
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
