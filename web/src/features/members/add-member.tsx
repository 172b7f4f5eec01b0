import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../api/ask.ts';
import { loadMessageOf } from '../../common/message-of.ts';
import { notify } from '../../ui/notifications/notify.ts';
import { RoleSelect } from '../drives/role-select.tsx';
import type { Role } from '../drives/use-drive.ts';
import type { Person } from '../people/find-exact.ts';
import { PersonSearch } from '../people/person-search.tsx';
import { useDriveChange } from './change-drives.ts';

interface AddMemberProps {
  readonly driveId: number;
  readonly memberIds: ReadonlySet<number>;
}

/** Adds people to a drive, with the role that is chosen beside the search. */
export function AddMember({ driveId, memberIds }: AddMemberProps) {
  const { t } = useTranslation();
  const [role, setRole] = useState<Role>('EDITOR');
  const add = useDriveChange({
    change: ({ username }: Person) =>
      ask('POST /api/v2/drives/{id}/members', { path: { id: driveId }, body: { username, role } }),
    onDone: ({ displayName }) => notify(t('drives.added', { name: displayName })),
    showsError: true,
  });
  return (
    <Group align="flex-end" gap="xs">
      <div style={{ flex: '1 1 240px' }}>
        <PersonSearch
          isReadOnly={add.isPending}
          chosenIds={memberIds}
          onAdd={async (person) => {
            if (memberIds.has(person.accountId)) return t('drives.isMember');
            try {
              await add.mutateAsync(person);
              return undefined;
            } catch (error) {
              return loadMessageOf(error);
            }
          }}
        />
      </div>
      <RoleSelect w={140} aria-label={t('drives.addRole')} role={role} onRole={setRole} />
      <Text size="xs" c="dimmed" w="100%">
        {t('drives.rolesHint')}
      </Text>
    </Group>
  );
}
