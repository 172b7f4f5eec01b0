import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { filterOf } from '../admin-search.ts';
import { useAdminSearch } from '../use-admin-search.ts';

const PAUSE_MS = 250;
/** More the service does not take. */
const MOST_LETTERS = 256;

/** Looks for a part of the text, as soon as the typing pauses. */
export function TextFilter({ name, label, hint }: { name: string; label: string; hint?: string }) {
  const { search, setFilter } = useAdminSearch();
  const value = filterOf(search, name);
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  const [sent, setSent] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // The address has changed by itself, by the way back or a link: what is typed here is no longer meant.
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
      maxLength={MOST_LETTERS}
      leftSection={<IconSearch size={16} aria-hidden />}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value.trim());
      }}
    />
  );
}
