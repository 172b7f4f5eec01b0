import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useUser } from '../../api/use-session.ts';
import { NotFound } from '../../shell/not-found.tsx';
import { Page } from '../../ui/page/page.tsx';
import { PartArea } from '../../ui/parts/part-area.tsx';
import { EmptyNotice } from '../../ui/placeholders/empty-notice.tsx';
import classes from './admin.module.css';
import { findPart, GROUP_NAMES, PART_GROUPS, type PartName } from './part-names.ts';
import { PARTS } from './parts.ts';

/** The administration. The address selects its part: `/admin/users` and so on. */
export function AdminPage() {
  const { t } = useTranslation();
  const { role } = useUser();
  const name = findPart(useParams({ from: '/inside/admin/{-$part}' }).part);
  const Part = name === undefined ? NotFound : PARTS[name].Part;
  const toPart = (part: PartName) =>
    ({
      name: part,
      label: t(`admin.parts.${part}`),
      Icon: PARTS[part].Icon,
      link: { to: '/admin/{-$part}', params: { part: part === 'summary' ? undefined : part } },
    }) as const;
  return (
    <Page title={t('nav.admin')}>
      {role === 'USER' ? (
        <EmptyNotice drawing="lock" title={t('admin.notForYou')}>
          {t('admin.notForYouHint')}
        </EmptyNotice>
      ) : (
        <div className={classes.area}>
          <PartArea
            label={t('admin.parts.all')}
            groups={[
              { parts: [toPart('summary')] },
              ...GROUP_NAMES.map((group) => ({
                title: t(`admin.groups.${group}`),
                parts: PART_GROUPS[group].map(toPart),
              })),
            ]}
            current={name}
          >
            <Part />
          </PartArea>
        </div>
      )}
    </Page>
  );
}
