import { CloseButton, Kbd, TextInput } from '@mantine/core';
import { IconArrowLeft, IconSearch } from '@tabler/icons-react';
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { belongsToField } from '../../ui/fields/belongs-to-field.ts';
import { labelled } from '../../ui/labelled.ts';
import { useDrive } from '../drives/use-drive.ts';
import classes from './search-box.module.css';

/** The search field in the header. On a phone, a button opens it, and it covers the header. */
export function SearchBox() {
  const { t } = useTranslation();
  const label = useLabel();
  const { text, type, go } = useSearchText();
  const [isOpen, setIsOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const open = () => {
    // On a phone, the field must be rendered first, so that it can be focused before the next key.
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
    // Leaves the field for the results, which also hides a phone's keyboard.
    setIsOpen(false);
    input.current?.blur();
  };
  return (
    <>
      <IconButton
        ref={opener}
        className={classes.opener}
        variant="subtle"
        color="gray"
        size={40}
        label={t('nav.search')}
        onClick={open}
      >
        <IconSearch size={20} aria-hidden />
      </IconButton>
      <search className={classes.place} data-open={isOpen || undefined}>
        <form onSubmit={submit} className={classes.form}>
          <IconButton
            className={classes.back}
            variant="subtle"
            color="gray"
            size={40}
            label={t('nav.leaveSearch')}
            data-closes-layer
            onClick={close}
          >
            <IconArrowLeft size={20} aria-hidden />
          </IconButton>
          <TextInput
            ref={input}
            className={classes.input}
            type="search"
            enterKeyHint="search"
            autoComplete="off"
            spellCheck={false}
            aria-label={label}
            placeholder={label}
            maxLength={255}
            leftSection={<IconSearch size={18} aria-hidden />}
            rightSection={text === '' ? <SlashHint /> : <ClearButton onClick={() => type('')} />}
            value={text}
            onChange={(event) => type(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </form>
      </search>
    </>
  );
}

/** Says which drives a search covers. */
function useLabel(): string {
  const { t } = useTranslation();
  const { name } = useDrive();
  const isInAll = useSearch({ strict: false, select: ({ scope }) => scope === 'all' });
  if (isInAll) return t('nav.searchAll');
  return name === undefined ? t('nav.searchFiles') : t('nav.searchIn', { name });
}

/** Shows which key focuses the search field. */
function SlashHint() {
  return (
    <Kbd className={classes.key} aria-hidden>
      /
    </Kbd>
  );
}

function ClearButton({ onClick }: { readonly onClick: () => void }) {
  const { t } = useTranslation();
  return <CloseButton {...labelled(t('nav.clearSearch'))} onClick={onClick} />;
}

/** Calls back when the user presses `/`, except while typing or in a dialog. */
function useSlash(act: () => void): void {
  const onSlash = useEffectEvent(act);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (belongsToField(event)) return;
      event.preventDefault();
      event.stopPropagation();
      onSlash();
    };
    // Captured before a list handles the key as the beginning of a name.
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, []);
}

/** The results are shown after this pause in typing. */
const PAUSE_MS = 250;

/** The search text: in the field, and a moment later in the address of the results page. */
function useSearchText() {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const isOnPage = pathname === '/search';
  const query = isOnPage && 'q' in search ? String(search.q) : '';
  const [text, setText] = useState(query);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const written = useRef(query);

  // The address also changes when the user goes back or forward, or opens another page.
  useEffect(() => {
    if (written.current === query) return;
    written.current = query;
    clearTimeout(timer.current);
    setText(query);
  }, [query]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const goTo = (q: string) => {
    clearTimeout(timer.current);
    if (q === '' && !isOnPage) return;
    written.current = q;
    // Typing replaces the history entry, so going back once leads to the page before the search.
    // Filters stay while the user types. An order was chosen for the results of other words.
    void navigate({
      to: '/search',
      search: (before) => ({ ...(isOnPage ? before : {}), q, ...(q !== query && { sort: undefined }) }),
      replace: isOnPage,
    });
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
