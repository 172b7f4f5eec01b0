import { Box } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '../../api/use-session.ts';
import { NotFound } from '../../shell/not-found.tsx';
import { Page } from '../../ui/page/page.tsx';
import { EmptyNotice } from '../../ui/placeholders/empty-notice.tsx';
import classes from './admin.module.css';
import { findPart } from './part-names.ts';
import { PartNavigation } from './part-navigation.tsx';
import { PARTS } from './parts.ts';

/** The administration. The address selects its part: `/admin/users` and so on. */
export function AdminPage() {
  const { t } = useTranslation();
  const { role } = useUser();
  const name = findPart(useParams({ from: '/inside/admin/{-$part}' }).part);
  const Part = name === undefined ? NotFound : PARTS[name].Part;
  return (
    <Page title={t('nav.admin')}>
      {role === 'USER' ? (
        <EmptyNotice drawing="lock" title={t('admin.notForYou')}>
          {t('admin.notForYouHint')}
        </EmptyNotice>
      ) : (
        <div className={classes.area}>
          <PartNavigation current={name} />
          {/* The key gives each part its own boundary, so a part is never shown under another's name. */}
          <Suspense key={name} fallback={<Box mih="60vh" />}>
            <div className={classes.content}>
              <Part />
            </div>
          </Suspense>
        </div>
      )}
    </Page>
  );
}
