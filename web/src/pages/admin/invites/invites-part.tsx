import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminInvite } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { useInstance } from '../../../api/use-instance.ts';
import { LinkCard } from '../../../features/shares/links/link-card.tsx';
import { formatNumber, formatTime } from '../../../messages/formats.ts';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { notify } from '../../../ui/notifications/notify.ts';
import { PageActions } from '../../../ui/page/page-actions.tsx';
import type { Column } from '../list/columns.tsx';
import { PagedList } from '../list/paged-list.tsx';
import { usePage } from '../list/use-page.ts';
import { ActDialog } from '../pieces/act-dialog.tsx';
import { Mark } from '../pieces/mark.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { linkOfInvite } from './invite-link.ts';

const TONES = { ACTIVE: 'good', EXPIRED: 'bad', USED_UP: 'doubtful' } as const;

/** Codes for several registrations, in addition to the one on the summary. */
export function InvitesPart() {
  const { t } = useTranslation();
  const query = usePage('invites', []);
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<AdminInvite>();
  const [doomed, setDoomed] = useState<AdminInvite>();
  const columns = useInviteColumns();
  return (
    <Stack gap="xs">
      <PageActions>
        <Button mih="var(--tap-size)" onClick={() => setCreating(true)}>
          {t('admin.invites.create')}
        </Button>
      </PageActions>
      <Text size="sm" c="dimmed">
        {t('admin.invites.hint')}
      </Text>
      <PagedList
        query={query}
        filters={[]}
        title={t('admin.parts.invites')}
        columns={columns}
        acts={(invite) => (
          <Button
            variant="default"
            mih="var(--tap-size)"
            aria-label={t('admin.invites.deleteOf', { name: nameOf(invite) })}
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => setDoomed(invite)}
          >
            {t('admin.invites.delete')}
          </Button>
        )}
        empty={{
          drawing: 'people',
          title: t('admin.invites.none'),
          text: t('admin.invites.noneHint'),
        }}
      />
      {isCreating && (
        <InviteDialog
          onDone={(invite, email) => {
            setCreating(false);
            // A mailed invite need not be passed on.
            if (email === undefined) setCreated(invite);
            notify(t(email === undefined ? 'admin.invites.created' : 'admin.invites.mailed', { email }));
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {created && <CreatedDialog invite={created} onClose={() => setCreated(undefined)} />}
      {doomed && (
        <ActDialog
          title={t('admin.invites.deleteOf', { name: nameOf(doomed) })}
          text={t('admin.invites.deleteText')}
          action={t('admin.invites.delete')}
          act={() => ask('DELETE /api/admin/invites/{id}', { path: { id: doomed.id } })}
          done={t('admin.invites.deleted')}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </Stack>
  );
}

function useInviteColumns(): Column<AdminInvite>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'invite',
      title: t('admin.invites.invite'),
      cell: ({ code, note }) => (
        <>
          <Text ff="monospace" size="sm">
            {code}
          </Text>
          <Text size="xs" c="dimmed" fw={400} style={{ overflowWrap: 'anywhere' }}>
            {note}
          </Text>
        </>
      ),
    },
    {
      key: 'state',
      title: t('admin.invites.state'),
      cell: ({ state }) => <Mark tone={TONES[state]} text={t(`admin.invites.states.${state}`)} />,
    },
    {
      key: 'uses',
      title: t('admin.invites.used'),
      cell: ({ usedCount, uses }) => `${formatNumber(usedCount)} / ${formatNumber(uses)}`,
      isNumber: true,
    },
    {
      key: 'expires',
      title: t('admin.invites.expires'),
      cell: ({ expiresAt }) => (expiresAt === null ? t('admin.invites.never') : formatTime(expiresAt)),
    },
    {
      key: 'copy',
      title: t('admin.invites.pass'),
      cell: ({ code, state }) =>
        state === 'ACTIVE' && (
          <Group gap="xs">
            <CopyButton text={code} label={t('admin.invite.copy')} />
            <CopyButton text={linkOfInvite(code)} label={t('admin.invite.copyLink')} />
          </Group>
        ),
    },
  ];
}

/** The link of a new invite, with all the ways to pass it on. */
function CreatedDialog({ invite, onClose }: { invite: AdminInvite; onClose: () => void }) {
  const { t } = useTranslation();
  const { name } = useInstance();
  const link = linkOfInvite(invite.code);
  const text = t('admin.invites.mailText', { link });
  return (
    <Dialog title={t('admin.invites.createdTitle')} onClose={onClose}>
      <Stack gap="md">
        <LinkCard address={link} name={name} isNew />
        <Textarea label={t('admin.invites.mail')} value={text} readOnly autosize />
        <CopyButton text={text} label={t('admin.invites.copyMail')} variant="default" mih="var(--tap-size)" />
      </Stack>
    </Dialog>
  );
}

function nameOf({ note, code }: AdminInvite): string {
  return note ?? code;
}
