import { Combobox, Group, Loader, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HoldallError } from '../../../../client/src/errors/errors.ts';
import { queryOf } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { messageOf } from '../../common/message-of.ts';
import { PersonAvatar } from '../account/person-avatar.tsx';
import { findExact, type Person } from './find-exact.ts';

/** Searches without a result are limited, so the page does not search for every letter. */
const PAUSE_MS = 400;
/** As in the service. */
const MAX_QUERY_LENGTH = 256;

interface PersonSearchProps {
  readonly isReadOnly: boolean;
  /** People who are already chosen, so they are not suggested. */
  readonly chosenIds: ReadonlySet<number>;
  /** Returns why the person cannot be added; undefined if the person was added. Must not throw. */
  readonly onAdd: (person: Person) => string | undefined | Promise<string | undefined>;
  /**
   * Called when the field becomes empty or gets text. If set, leaving the field adds the person. Otherwise a
   * form could be submitted without someone whose name was typed.
   */
  readonly onTyping?: (isTyping: boolean) => void;
}

/** Finds people by the names of those who share a drive, or by an exact username or e-mail address. */
export function PersonSearch({ isReadOnly, chosenIds, onAdd, onTyping }: PersonSearchProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [text, setText] = useState('');
  const [fault, setFault] = useState<ReactNode>();
  const [isAsking, setAsking] = useState(false);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [sought] = useDebouncedValue(text.trim(), PAUSE_MS);
  const { data = [], isFetching } = useQuery({
    ...peopleQuery(sought),
    enabled: combobox.dropdownOpened,
    placeholderData: keepPreviousData,
  });
  const suggested = data.filter(({ accountId }) => !chosenIds.has(accountId));
  const isSettled = !isFetching && sought === text.trim();
  const type = (next: string) => {
    setText(next);
    onTyping?.(next.trim() !== '');
  };
  const add = async (person: Person) => {
    combobox.closeDropdown();
    const refusal = await onAdd(person);
    setFault(refusal);
    if (refusal === undefined) type('');
  };
  const addTyped = async () => {
    setAsking(true);
    try {
      const person = findExact(text, await queryClient.fetchQuery(peopleQuery(text.trim())));
      if (person === undefined) setFault(t('people.notExact'));
      else await add(person);
    } catch (error) {
      const isLimited = error instanceof HoldallError && error.status === 429;
      setFault(isLimited ? t('people.tooManySearches') : messageOf(error));
    }
    setAsking(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || text.trim() === '') return;
    if (combobox.dropdownOpened && combobox.getSelectedOptionIndex() !== -1) return;
    // Enter adds the person, but does not submit the form.
    event.preventDefault();
    if (!isAsking && !isReadOnly) void addTyped();
  };
  return (
    <Combobox
      store={combobox}
      // Inside the dialog, so that the suggestions belong to it.
      withinPortal={false}
      onOptionSubmit={(username) => {
        const person = suggested.find((each) => each.username === username);
        if (person !== undefined && !isReadOnly) void add(person);
      }}
    >
      <Combobox.Target withExpandedAttribute>
        <TextInput
          data-autofocus
          label={t('people.find')}
          description={t('people.findHint')}
          value={text}
          readOnly={isReadOnly}
          error={fault}
          maxLength={MAX_QUERY_LENGTH}
          spellCheck={false}
          rightSection={(isAsking || (isFetching && text !== '')) && <Loader size="xs" aria-hidden />}
          onChange={(event) => {
            type(event.currentTarget.value);
            setFault(undefined);
            combobox.resetSelectedOption();
            combobox.openDropdown();
          }}
          onClick={() => {
            if (!isReadOnly) combobox.openDropdown();
          }}
          onBlur={() => {
            combobox.closeDropdown();
            const canAdd = onTyping !== undefined && text.trim() !== '' && fault === undefined;
            if (canAdd && !isAsking && !isReadOnly) void addTyped();
          }}
          onKeyDown={onKeyDown}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={suggested.length === 0 && (text.trim() === '' || !isSettled)}>
        <Combobox.Options aria-label={t('people.found')} mah={240} style={{ overflowY: 'auto' }}>
          {suggested.map((person) => (
            <Combobox.Option key={person.accountId} value={person.username} mih="var(--tap-size)">
              <PersonLine person={person} />
            </Combobox.Option>
          ))}
          {suggested.length === 0 && <Combobox.Empty>{t('people.noOne')}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** A person with avatar and username, because several may have the same display name. */
export function PersonLine({ person }: { readonly person: Person }) {
  const { accountId, displayName, username } = person;
  return (
    <Group gap="sm" wrap="nowrap" miw={0} flex="1 1 10rem">
      <PersonAvatar accountId={accountId} displayName={displayName} size={32} />
      <div style={{ minWidth: 0 }}>
        <Text size="sm" truncate>
          {displayName}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {username}
        </Text>
      </div>
    </Group>
  );
}

function peopleQuery(query: string) {
  return {
    ...queryOf(KEYS.people(query), 'GET /api/v2/people', { query: { query } }),
    // Each attempt without a result counts towards the limit.
    retry: false,
    staleTime: 60_000,
  };
}
