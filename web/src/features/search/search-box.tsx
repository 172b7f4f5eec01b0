import { ActionIcon, CloseButton, Kbd, TextInput } from '@mantine/core';
import { IconArrowLeft, IconSearch } from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import classes from './search-box.module.css';

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

/** Calls when somebody presses `/`, unless they are writing or a dialog is open. */
function useSlash(act: () => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      const { target } = event;
      if (target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]'))
        return;
      if (document.querySelector('[aria-modal="true"]') !== null) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current();
    };
    // Before a list takes it for the beginning of a name.
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, []);
}

/** Whoever stops typing for so long wants to see what there is. */
const PAUSE_MS = 250;

/** What is looked for: in the box, and a moment later in the address of the page with what was found. */
function useSearchText() {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const isOnPage = pathname === '/search';
  const sought = isOnPage && 'q' in search ? String(search.q) : '';
  const [text, setText] = useState(sought);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const written = useRef(sought);

  // The address changes by other ways too: back, forward, another page.
  useEffect(() => {
    if (written.current === sought) return;
    written.current = sought;
    clearTimeout(timer.current);
    setText(sought);
  }, [sought]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const goTo = (q: string) => {
    clearTimeout(timer.current);
    if (q === '' && !isOnPage) return;
    written.current = q;
    // One step back leads to where one was before the search, however many letters it took.
    void navigate({ to: '/search', search: { q }, replace: isOnPage });
  };
  return {
    text,
    type: (value: string) => {
      setText(value);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => goTo(value), PAUSE_MS);
    },
    go: () => goTo(text),
  };
}
