import { Alert, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DriveRecord, EntryRecord } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import { useUser } from '../../api/use-session.ts';
import { ROOT, toDirectory } from '../../common/names/drive-paths.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { useIsOpen } from '../../ui/dialogs/use-is-open.ts';
import { notify, notifyText } from '../../ui/notifications/notify.ts';
import { creationFailureText } from '../drives/creation-failure.ts';
import { MAX_DRIVE_NAME_LENGTH } from '../drives/drive-names.ts';
import { RoleSelect } from '../drives/role-select.tsx';
import type { Role } from '../drives/use-drive.ts';
import { renewLists } from '../entries/change/listed-entries.ts';
import type { Person } from './find-exact.ts';
import { PersonLine, PersonSearch } from './person-search.tsx';

/** As in the service. */
const MAX_FIRST_MEMBERS = 100;

interface Chosen extends Person {
  readonly role: Role;
}

interface ShareWithPeopleProps {
  /** A folder of the personal drive. */
  readonly folder: EntryRecord;
  readonly onClose: () => void;
}

/** Turns a folder of the personal drive into a shared drive with members, and opens it. */
export function ShareWithPeopleDialog({ folder, onClose }: ShareWithPeopleProps) {
  const { t } = useTranslation();
  const user = useUser();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const isOpen = useIsOpen();
  const [name, setName] = useState(() => cutName(folder.filename));
  const [isTyping, setTyping] = useState(false);
  const [people, setPeople] = useState<readonly Chosen[]>([]);
  const share = useMutation({
    mutationFn: () => {
      const members = people.map(({ username, role }) => ({ username, role }));
      return ask('POST /api/v2/drives', { body: { name: name.trim(), fromFileId: folder.id, members } });
    },
    onSuccess: async (drive: DriveRecord) => {
      notify(t('people.made', { name: drive.name }));
      await renewLists(queryClient);
      // A user who has closed the dialog meanwhile is doing something else.
      if (!isOpen.current) return;
      onClose();
      await navigate(toDirectory(ROOT, { drive: drive.id }));
    },
    onError: (error) => {
      if (!isOpen.current) notifyText(creationFailureText(error));
    },
  });
  const change = (next: readonly Chosen[]) => {
    setPeople(next);
    share.reset();
  };
  const add = (person: Person): string | undefined => {
    if (person.accountId === user.id) return t('people.yourself');
    if (people.some(({ accountId }) => accountId === person.accountId))
      return t('people.already', { name: person.displayName });
    if (people.length >= MAX_FIRST_MEMBERS) return t('people.tooMany', { count: MAX_FIRST_MEMBERS });
    change([...people, { ...person, role: 'EDITOR' }]);
    return undefined;
  };
  return (
    <FormDialog
      title={t('people.shareTitle', { name: folder.filename })}
      action={t('people.create')}
      isPending={share.isPending}
      isReady={name.trim() !== '' && !isTyping}
      size="lg"
      onSubmit={share.mutate}
      onClose={onClose}
    >
      <List size="sm" spacing={4}>
        <List.Item>{t('people.explain', { name: folder.filename })}</List.Item>
        <List.Item>{t('people.explainLinks')}</List.Item>
      </List>
      <TextInput
        label={t('people.driveName')}
        value={name}
        autoComplete="off"
        maxLength={MAX_DRIVE_NAME_LENGTH}
        onChange={(event) => {
          setName(event.currentTarget.value);
          share.reset();
        }}
      />
      <PersonSearch
        isReadOnly={share.isPending}
        chosenIds={new Set(people.map(({ accountId }) => accountId))}
        onAdd={add}
        onTyping={setTyping}
      />
      <Stack
        gap="xs"
        component="ul"
        m={0}
        p={0}
        style={{ listStyle: 'none' }}
        aria-label={t('people.members')}
      >
        <Group component="li" justify="space-between" gap="xs">
          <PersonLine
            person={{
              accountId: user.id,
              username: user.username,
              displayName: t('people.you', { name: user.displayName }),
            }}
          />
          <Text size="sm" c="dimmed">
            {t('drives.roles.MANAGER')}
          </Text>
        </Group>
        {people.map((person) => (
          <ChosenLine
            key={person.accountId}
            person={person}
            isDisabled={share.isPending}
            onRole={(role) =>
              change(people.map((each) => (each.accountId === person.accountId ? { ...each, role } : each)))
            }
            onRemove={() => change(people.filter(({ accountId }) => accountId !== person.accountId))}
          />
        ))}
      </Stack>
      <Text size="xs" c="dimmed">
        {t('drives.rolesHint')}
      </Text>
      {share.error !== null && <Alert color="red" role="alert" title={creationFailureText(share.error)} />}
    </FormDialog>
  );
}

interface ChosenLineProps {
  readonly person: Chosen;
  readonly isDisabled: boolean;
  readonly onRole: (role: Role) => void;
  readonly onRemove: () => void;
}

function ChosenLine({ person, isDisabled, onRole, onRemove }: ChosenLineProps) {
  const { t } = useTranslation();
  const { displayName: name, role } = person;
  return (
    <Group component="li" justify="space-between" gap="xs">
      <PersonLine person={person} />
      <Group gap={4} wrap="nowrap" style={{ flexShrink: 0 }}>
        <RoleSelect w={140} aria-label={t('drives.roleOf', { name })} role={role} onRole={onRole} />
        <IconButton
          variant="subtle"
          color="gray"
          size={40}
          label={t('people.remove', { name })}
          disabled={isDisabled}
          onClick={onRemove}
        >
          <IconX size={18} aria-hidden />
        </IconButton>
      </Group>
    </Group>
  );
}

/** Limits the code points. The service also limits the bytes, and says so if it rejects the name. */
function cutName(name: string): string {
  return Array.from(name).slice(0, MAX_DRIVE_NAME_LENGTH).join('').trim();
}
