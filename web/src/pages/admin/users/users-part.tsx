import { Button, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminUser } from '../../../../../client/src/client.ts';
import { formatTime } from '../../../messages/formats.ts';
import { PageActions } from '../../../ui/page/page-actions.tsx';
import classes from '../admin.module.css';
import { ChoiceFilter } from '../list/choice-filter.tsx';
import type { Column } from '../list/columns.tsx';
import { FilterBar } from '../list/filter-bar.tsx';
import { PagedList } from '../list/paged-list.tsx';
import { TextFilter } from '../list/text-filter.tsx';
import { usePage } from '../list/use-page.ts';
import { ROLES } from '../pieces/choices.ts';
import { Mark } from '../pieces/mark.tsx';
import { QuotaMeter } from '../pieces/quota-meter.tsx';
import { NewUserDialog } from './dialogs/new-user-dialog.tsx';
import { type UserAct, UserDialog } from './dialogs/user-dialog.tsx';
import { RoleBadge } from './role-badge.tsx';
import { UserMenu } from './user-menu.tsx';

const FILTERS = ['query', 'role'];

/** All accounts. */
export function UsersPart() {
  const { t } = useTranslation();
  const query = usePage('users', FILTERS, ({ items }) => items.some(({ deleting }) => deleting));
  const [open, setOpen] = useState<{ act: UserAct; user: AdminUser }>();
  const [isCreating, setCreating] = useState(false);
  const columns: Column<AdminUser>[] = [
    {
      key: 'user',
      title: t('admin.users.user'),
      cell: (user) => (
        <>
          <Group gap={6}>
            <UnstyledButton className={classes.open} onClick={() => setOpen({ act: 'details', user })}>
              {user.username}
            </UnstyledButton>
            <StatusMark {...user} />
          </Group>
          <Text size="xs" c="dimmed" fw={400}>
            {[user.displayName === user.username ? null : user.displayName, user.email]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </>
      ),
    },
    { key: 'role', title: t('admin.users.role'), cell: ({ role }) => <RoleBadge role={role} /> },
    {
      key: 'storage',
      title: t('admin.users.storage'),
      cell: (user) => <QuotaMeter usedBytes={user.storageUsedBytes} quotaBytes={user.storageQuotaBytes} />,
    },
    {
      key: 'lastActive',
      title: t('admin.users.lastActive'),
      cell: ({ lastActiveAt }) => (lastActiveAt === null ? t('admin.users.never') : formatTime(lastActiveAt)),
    },
  ];
  return (
    <Stack gap="xs">
      <PageActions>
        <Button mih="var(--tap-size)" onClick={() => setCreating(true)}>
          {t('admin.users.create')}
        </Button>
      </PageActions>
      <FilterBar>
        <TextFilter name="query" label={t('admin.users.search')} hint={t('admin.ownerHint')} />
        <ChoiceFilter
          name="role"
          label={t('admin.users.role')}
          choices={ROLES.map((value) => ({ value, label: t(`admin.roles.${value}`) }))}
        />
      </FilterBar>
      <PagedList
        query={query}
        filters={FILTERS}
        title={t('admin.parts.users')}
        columns={columns}
        acts={(user) => <UserMenu user={user} onAct={(act) => setOpen({ act, user })} />}
        empty={{ drawing: 'people', title: t('admin.users.none') }}
      />
      {isCreating && <NewUserDialog onClose={() => setCreating(false)} />}
      {open && <UserDialog act={open.act} user={open.user} onClose={() => setOpen(undefined)} />}
    </Stack>
  );
}

/** Shows why a user cannot log in. Renders nothing for other users. */
function StatusMark({ banned, deleting }: Pick<AdminUser, 'banned' | 'deleting'>) {
  const { t } = useTranslation();
  if (deleting) return <Mark tone="busy" text={t('admin.users.deleting')} />;
  return banned ? <Mark tone="bad" text={t('admin.users.banned')} /> : null;
}
