import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminDriveMember } from '../../../../../../client/src/client.ts';
import { ask, queryOf } from '../../../../api/ask.ts';
import { KEYS } from '../../../../api/keys.ts';
import { RoleSelect } from '../../../../features/drives/role-select.tsx';
import type { Role } from '../../../../features/drives/use-drive.ts';
import { formatNumber, formatTime } from '../../../../messages/formats.ts';
import { Dialog } from '../../../../ui/dialogs/dialog.tsx';
import { notify } from '../../../../ui/notifications/notify.ts';
import { FailureNotice } from '../../../../ui/placeholders/failure-notice.tsx';
import classes from '../../admin.module.css';
import { useAct } from '../../pieces/use-act.ts';
import { type DriveDialogProps, nameOf } from '../drive-dialog-props.ts';

const PAUSE_MS = 250;
/** The maximum length that the service accepts. */
const MAX_LETTERS = 256;
/** How many found accounts are offered. */
const MAX_FOUND = 5;
/** How many members are shown at first, and how many more with each step. */
const STEP = 50;
const ROLE_LOOK = { w: 130, flex: 'none' } as const;

/** The members of a shared drive. An admin can add members and change roles, without being a member. */
export function DriveMembersDialog({ drive, onClose }: DriveDialogProps) {
  const { t } = useTranslation();
  const path = { id: drive.id };
  const key = [...KEYS.admin('drives'), drive.id, 'members'];
  const { data, error, refetch } = useQuery(queryOf(key, 'GET /api/admin/drives/{id}/members', { path }));
  const change = useAct(
    ({ accountId, role }: { accountId: number; role: Role }) =>
      ask('PUT /api/admin/drives/{id}/members/{accountId}', { path: { ...path, accountId }, body: { role } }),
    ({ username, role }) =>
      notify(t('admin.drives.memberSet', { name: username, role: t(`drives.roles.${role}`) })),
  );
  return (
    <Dialog onClose={onClose} title={t('admin.drives.membersTitle', { name: nameOf(drive) })} size="lg">
      <Stack>
        {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
        <NewMember
          members={data}
          isPending={change.isPending}
          onAdd={(accountId, role) => change.mutate({ accountId, role })}
        />
        {data !== undefined && (
          <MemberList
            members={data}
            isPending={change.isPending}
            onChange={(accountId, role) => change.mutate({ accountId, role })}
          />
        )}
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('admin.done')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function MemberList(parts: {
  members: readonly AdminDriveMember[];
  isPending: boolean;
  onChange: (accountId: number, role: Role) => void;
}) {
  const { t } = useTranslation();
  const { members, isPending, onChange } = parts;
  const [limit, setLimit] = useState(STEP);
  return (
    <section aria-label={t('admin.drives.members')}>
      <Title order={3} size="h5">
        {t('admin.drives.members')}
      </Title>
      {members.length === 0 && <Text c="dimmed">{t('admin.drives.noMembers')}</Text>}
      <ul className={classes.people}>
        {members.slice(0, limit).map(({ accountId, username, displayName, role, since }) => (
          <li key={accountId}>
            <PersonName
              username={username}
              displayName={displayName}
              hint={t('admin.drives.since', { time: formatTime(since) })}
            />
            <RoleSelect
              {...ROLE_LOOK}
              aria-label={t('admin.drives.roleOf', { name: username })}
              role={role}
              disabled={isPending}
              onRole={(next) => onChange(accountId, next)}
            />
          </li>
        ))}
      </ul>
      {members.length > limit && (
        <Button variant="default" mt="xs" onClick={() => setLimit(limit + STEP)}>
          {t('admin.drives.moreMembers', { number: formatNumber(members.length - limit) })}
        </Button>
      )}
    </section>
  );
}

/** Finds an account and makes it a member. */
function NewMember(parts: {
  /** Undefined until they are loaded. */
  members: readonly AdminDriveMember[] | undefined;
  isPending: boolean;
  onAdd: (accountId: number, role: Role) => void;
}) {
  const { t } = useTranslation();
  const { members, isPending, onAdd } = parts;
  const hasManager = members?.some(({ role }) => role === 'MANAGER') ?? true;
  const [chosen, setChosen] = useState<Role>();
  const role = chosen ?? (hasManager ? 'VIEWER' : 'MANAGER');
  const [text, setText] = useState('');
  const [query] = useDebouncedValue(text.trim(), PAUSE_MS);
  const found = useQuery({
    ...queryOf([...KEYS.admin('users'), 'found', query], 'GET /api/admin/users', {
      query: { query, page: 0, size: MAX_FOUND },
    }),
    enabled: query !== '',
    placeholderData: keepPreviousData,
  });
  const people = query === '' ? [] : (found.data?.items ?? []);
  const isMember = (id: number) => members?.some(({ accountId }) => accountId === id);
  return (
    <section aria-label={t('admin.drives.addMember')}>
      {!hasManager && <Text mb="xs">{t('admin.drives.noManagerHint')}</Text>}
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          type="search"
          label={t('admin.drives.addMember')}
          placeholder={t('admin.ownerHint')}
          value={text}
          maxLength={MAX_LETTERS}
          leftSection={<IconSearch size={16} aria-hidden />}
          data-autofocus
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <RoleSelect {...ROLE_LOOK} label={t('admin.drives.role')} role={role} onRole={setChosen} />
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        {t('drives.rolesHint')}
      </Text>
      <Text size="sm" c="dimmed" role="status" mih={21} mt={4}>
        {query !== '' && found.data?.items.length === 0 && t('admin.users.none')}
      </Text>
      <ul className={classes.people} aria-label={t('admin.drives.foundPeople')}>
        {people.map(({ id, username, displayName, email, deleting }) => (
          <li key={id}>
            <PersonName username={username} displayName={displayName} hint={email} />
            {isMember(id) ? (
              <Text size="sm" c="dimmed">
                {t('admin.drives.isMember')}
              </Text>
            ) : (
              <Button
                variant="default"
                mih="var(--tap-size)"
                disabled={members === undefined || isPending || deleting}
                aria-label={t('admin.drives.addName', { name: username })}
                onClick={() => onAdd(id, role)}
              >
                {t('admin.drives.add')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function PersonName(person: { username: string; displayName: string; hint: string | null }) {
  const { username, displayName, hint } = person;
  return (
    <div className={classes.name}>
      {username}
      <Text size="xs" c="dimmed" fw={400}>
        {[displayName === username ? null : displayName, hint].filter(Boolean).join(' · ')}
      </Text>
    </div>
  );
}
