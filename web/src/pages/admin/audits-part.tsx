import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminAudit } from '../../../../client/src/client.ts';
import { formatTime } from '../../messages/formats.ts';
import classes from './admin.module.css';
import { ChoiceFilter } from './list/choice-filter.tsx';
import { type Column, RowName } from './list/columns.tsx';
import { FilterBar } from './list/filter-bar.tsx';
import { PagedList } from './list/paged-list.tsx';
import { TextFilter } from './list/text-filter.tsx';
import { usePage } from './list/use-page.ts';
import { AUDIT_ACTIONS, findKnown, TARGET_TYPES } from './pieces/choices.ts';
import { DetailsDrawer } from './pieces/details-drawer.tsx';

const FILTERS = ['actorQuery', 'actionType', 'targetType', 'targetId'];

/** The actions of admins, moderators and the command line. */
export function AuditsPart() {
  const { t } = useTranslation();
  const query = usePage('audits', FILTERS);
  const [open, setOpen] = useState<AdminAudit>();
  const { nameOfAction, nameOfType } = useAuditNames();
  const columns = useAuditColumns(setOpen);
  return (
    <Stack gap="xs">
      <FilterBar>
        <TextFilter name="actorQuery" label={t('admin.audits.actor')} />
        <ChoiceFilter
          name="actionType"
          label={t('admin.audits.action')}
          choices={AUDIT_ACTIONS.map((value) => ({ value, label: t(`admin.audits.actions.${value}`) }))}
        />
        <ChoiceFilter
          name="targetType"
          label={t('admin.audits.targetType')}
          choices={TARGET_TYPES.map((value) => ({ value, label: t(`admin.audits.targets.${value}`) }))}
        />
        <TextFilter name="targetId" label={t('admin.audits.targetId')} />
      </FilterBar>
      <PagedList
        query={query}
        filters={FILTERS}
        title={t('admin.parts.audits')}
        columns={columns}
        empty={{
          drawing: 'clock',
          title: t('admin.audits.none'),
          text: t('admin.audits.noneHint'),
        }}
      />
      {open && (
        <DetailsDrawer
          title={nameOfAction(open.action)}
          onClose={() => setOpen(undefined)}
          facts={[
            [t('admin.audits.summary'), open.summary],
            [t('admin.audits.actor'), open.actor],
            [t('admin.audits.target'), open.target],
            [t('admin.audits.targetType'), nameOfType(open.targetType)],
            [t('admin.audits.targetId'), open.targetId],
            [t('admin.audits.time'), formatTime(open.createdAt)],
            [t('admin.list.id'), open.id],
          ]}
          json={{ title: t('admin.audits.details'), value: open.detailsJson }}
        />
      )}
    </Stack>
  );
}

function useAuditColumns(onOpen: (audit: AdminAudit) => void): Column<AdminAudit>[] {
  const { t } = useTranslation();
  const { nameOfAction, nameOfType } = useAuditNames();
  return [
    {
      key: 'action',
      title: t('admin.audits.action'),
      cell: (audit) => (
        <RowName name={nameOfAction(audit.action)} hint={audit.summary} onOpen={() => onOpen(audit)} />
      ),
    },
    { key: 'actor', title: t('admin.audits.actor'), cell: ({ actor }) => actor },
    {
      key: 'target',
      title: t('admin.audits.target'),
      cell: ({ target, targetType, targetId }) => (
        <>
          <span className={classes.anywhere}>{target}</span>
          <Text size="xs" c="dimmed">
            {[nameOfType(targetType), targetId === null ? null : `#${targetId}`].filter(Boolean).join(' ')}
          </Text>
        </>
      ),
    },
    { key: 'time', title: t('admin.audits.time'), cell: ({ createdAt }) => formatTime(createdAt) },
  ];
}

/** The display names of actions and target types. Unknown ones are shown unchanged. */
function useAuditNames() {
  const { t } = useTranslation();
  const nameOfAction = (action: string) => {
    const known = findKnown(AUDIT_ACTIONS, action);
    return known === undefined ? action : t(`admin.audits.actions.${known}`);
  };
  const nameOfType = (type: string) => {
    const known = findKnown(TARGET_TYPES, type);
    return known === undefined ? type : t(`admin.audits.targets.${known}`);
  };
  return { nameOfAction, nameOfType };
}
