import { NativeSelect } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, useNavigate } from '@tanstack/react-router';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './admin.module.css';
import { GROUP_NAMES, type GroupName, PART_GROUPS, type PartName } from './part-names.ts';
import { PARTS } from './parts.ts';

/** There is room for a list of the parts beside a table. The style sheet contains a copy of this condition. */
const WIDE = '(min-width: 77em)';

/** The navigation between the parts: a list beside them, or a choice above them. */
export function PartNavigation({ current }: { readonly current: PartName | undefined }) {
  const { t } = useTranslation();
  const isWide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  if (!isWide) return <PartChoice current={current} />;
  return (
    <nav className={classes.parts} aria-label={t('admin.parts.all')}>
      <PartLink name="summary" />
      {GROUP_NAMES.map((group) => (
        <PartGroup key={group} group={group} />
      ))}
    </nav>
  );
}

function PartGroup({ group }: { readonly group: GroupName }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <>
      <div id={id} className={classes.group}>
        {t(`admin.groups.${group}`)}
      </div>
      <ul aria-labelledby={id}>
        {PART_GROUPS[group].map((name) => (
          <li key={name}>
            <PartLink name={name} />
          </li>
        ))}
      </ul>
    </>
  );
}

function PartLink({ name }: { readonly name: PartName }) {
  const { t } = useTranslation();
  const { Icon } = PARTS[name];
  return (
    <Link {...toPart(name)} className={classes.part} activeOptions={{ exact: true, includeSearch: false }}>
      <Icon size={18} aria-hidden />
      {t(`admin.parts.${name}`)}
    </Link>
  );
}

function PartChoice({ current }: { readonly current: PartName | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const toOption = (name: PartName) => ({ value: name, label: t(`admin.parts.${name}`) });
  return (
    <nav className={classes.choice} aria-label={t('admin.parts.all')}>
      <NativeSelect
        size="md"
        aria-label={t('admin.parts.all')}
        value={current ?? ''}
        data={[
          ...(current === undefined ? [''] : []),
          toOption('summary'),
          ...GROUP_NAMES.map((group) => ({
            group: t(`admin.groups.${group}`),
            items: PART_GROUPS[group].map(toOption),
          })),
        ]}
        // The options have no other values.
        onChange={({ currentTarget }) => void navigate(toPart(currentTarget.value as PartName))}
      />
    </nav>
  );
}

function toPart(name: PartName) {
  return { to: '/admin/{-$part}', params: { part: name === 'summary' ? undefined : name } } as const;
}
