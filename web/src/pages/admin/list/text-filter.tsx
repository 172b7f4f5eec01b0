import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { filterOf } from '../admin-search.ts';
import { useAdminSearch } from '../use-admin-search.ts';

const PAUSE_MS = 250;
/** The maximum length that the service accepts. */
const MAX_LETTERS = 256;

/** Filters by a substring. Applies after a pause in typing. */
export function TextFilter({ name, label, hint }: { name: string; label: string; hint?: string }) {
  const { search, setFilter } = useAdminSearch();
  const value = filterOf(search, name);
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  const [sent, setSent] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // The back button or a link has changed the address, so the typed text is obsolete.
    if (value !== sent) {
      setText(value);
      setSent(value);
    }
  }
  const send = useDebouncedCallback((next: string) => {
    setSent(next);
    setFilter(name, next);
  }, PAUSE_MS);
  return (
    <TextInput
      type="search"
      label={label}
      placeholder={hint}
      value={text}
      maxLength={MAX_LETTERS}
      leftSection={<IconSearch size={16} aria-hidden />}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value.trim());
      }}
    />
  );
}
