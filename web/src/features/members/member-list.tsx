import { Group, Stack, Text, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DataOf, DriveRecord } from '../../../../client/src/client.ts';
import { ask, queryOf } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { useUser } from '../../api/use-session.ts';
import { formatTime } from '../../messages/formats.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notify } from '../../ui/notifications/notify.ts';
import { FailureNotice } from '../../ui/placeholders/failure-notice.tsx';
import { ListPlaceholder } from '../../ui/placeholders/list-placeholder.tsx';
import { RoleSelect } from '../drives/role-select.tsx';
import type { Role } from '../drives/use-drive.ts';
import { PersonLine } from '../people/person-search.tsx';
import { AddMember } from './add-member.tsx';
import { useDriveChange } from './change-drives.ts';

type Member = DataOf<'GET /api/v2/drives/{id}/members'>[number];

interface RoleChange {
  readonly member: Member;
  readonly role: Role;
}

interface MemberListProps {
  readonly drive: DriveRecord;
  readonly canManage: boolean;
}

/** The members of a drive. Managers can add and remove people and change their roles. */
export function MemberList({ drive, canManage }: MemberListProps) {
  const { t } = useTranslation();
  const { id: userId } = useUser();
  const [removed, setRemoved] = useState<Member>();
  const [ownChange, setOwnChange] = useState<RoleChange>();
  const { id } = drive;
  const { data, error, refetch } = useQuery(
    queryOf(KEYS.members(id), 'GET /api/v2/drives/{id}/members', { path: { id } }),
  );
  const changeRole = useDriveChange({
    change: ({ member, role }: RoleChange) =>
      ask('PATCH /api/v2/drives/{id}/members/{accountId}', {
        path: { id, accountId: member.accountId },
        body: { role },
      }),
    onDone: (_, { member }) => {
      setOwnChange(undefined);
      notify(t('drives.roleChanged', { name: member.displayName }));
    },
  });
  const startChange = (change: RoleChange) => {
    // Disabled fields would lose the focus.
    if (changeRole.isPending || change.role === change.member.role) return;
    if (change.member.accountId === userId) setOwnChange(change);
    else changeRole.mutate(change);
  };
  const pending = changeRole.isPending ? changeRole.variables : undefined;
  const remove = useDriveChange({
    change: ({ accountId }: Member) =>
      ask('DELETE /api/v2/drives/{id}/members/{accountId}', { path: { id, accountId } }),
    onDone: (_, { displayName: name }) => {
      setRemoved(undefined);
      notify(t('drives.removed', { name }));
    },
  });
  if (error !== null && data === undefined)
    return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <ListPlaceholder />;
  const managers = data.filter(({ role }) => role === 'MANAGER').length;
  const isLastManager = ({ role }: Member) => role === 'MANAGER' && managers === 1;
  return (
    <Stack gap="md" component="section">
      <Title order={3} size="h5">
        {t('drives.members')}
      </Title>
      {canManage && <AddMember driveId={id} memberIds={new Set(data.map(({ accountId }) => accountId))} />}
      <Stack
        component="ul"
        gap="sm"
        m={0}
        p={0}
        style={{ listStyle: 'none' }}
        aria-label={t('drives.members')}
      >
        {data.map((member) => (
          <MemberLine
            key={member.accountId}
            member={member}
            isUser={member.accountId === userId}
            canManage={canManage}
            isLastManager={isLastManager(member)}
            pendingRole={pending?.member.accountId === member.accountId ? pending.role : undefined}
            onRole={(role) => startChange({ member, role })}
            onRemove={() => setRemoved(member)}
          />
        ))}
      </Stack>
      {ownChange !== undefined && (
        <ConfirmDialog
          title={t('drives.ownRoleTitle', { role: t(`drives.roles.${ownChange.role}`) })}
          text={t('drives.ownRoleText')}
          action={t('drives.ownRoleAction')}
          isPending={changeRole.isPending}
          zIndex={300}
          onConfirm={() => changeRole.mutate(ownChange)}
          onClose={() => setOwnChange(undefined)}
        />
      )}
      {removed !== undefined && (
        <ConfirmDialog
          title={t('drives.removeTitle', { name: removed.displayName, drive: drive.name })}
          text={t('drives.removeText', { name: removed.displayName })}
          action={t('drives.removeAction')}
          isPending={remove.isPending}
          zIndex={300}
          onConfirm={() => remove.mutate(removed)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Stack>
  );
}

interface MemberLineProps {
  readonly member: Member;
  readonly isUser: boolean;
  readonly canManage: boolean;
  readonly isLastManager: boolean;
  /** The role that the member is being given. */
  readonly pendingRole: Role | undefined;
  readonly onRole: (role: Role) => void;
  readonly onRemove: () => void;
}

function MemberLine(props: MemberLineProps) {
  const { member, isUser, canManage, isLastManager, pendingRole, onRole, onRemove } = props;
  const { t } = useTranslation();
  const { displayName: name, role, since, addedBy } = member;
  const time = formatTime(since);
  const shownName = isUser ? t('drives.you', { name }) : name;
  return (
    <li>
      <Group justify="space-between" gap="xs">
        <PersonLine person={{ ...member, displayName: shownName }} />
        <Group gap={4} wrap="nowrap" style={{ flexShrink: 0 }}>
          {canManage ? (
            <RoleSelect
              w={140}
              aria-label={t('drives.roleOf', { name })}
              role={pendingRole ?? role}
              // The service would reject it.
              disabled={isLastManager}
              onRole={onRole}
            />
          ) : (
            <Text size="sm" c="dimmed">
              {t(`drives.roles.${role}`)}
            </Text>
          )}
          {canManage && !isUser && (
            <IconButton
              variant="subtle"
              color="gray"
              size={40}
              label={t('drives.remove', { name })}
              onClick={onRemove}
            >
              <IconX size={18} aria-hidden />
            </IconButton>
          )}
        </Group>
      </Group>
      <Text size="xs" c="dimmed" pl={44}>
        {addedBy === null || addedBy.accountId === member.accountId
          ? t('drives.since', { time })
          : t('drives.sinceBy', { name: addedBy.displayName, time })}
        {canManage && isLastManager && ` · ${t('drives.lastManager')}`}
      </Text>
    </li>
  );
}
