import './admin-messages.ts';
import { Box, Title } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '../../api/use-session.ts';
import { NotFound } from '../../shell/not-found.tsx';
import { EmptyNotice } from '../../ui/empty-notice.tsx';
import classes from './admin.module.css';
import { PartLinks } from './part-links.tsx';
import { findPart } from './part-names.ts';
import { PARTS } from './parts.ts';

/** The administration: its parts are told apart by the address, `/admin/users` and so on. */
export function AdminPage() {
  const { t } = useTranslation();
  const { role } = useUser();
  const name = findPart(useParams({ from: '/inside/admin/{-$part}' }).part);
  const Part = name === undefined ? NotFound : PARTS[name].Part;
  return (
    <Box className={classes.area}>
      <Title order={1} size="h3" mb="xs">
        {t('nav.admin')}
      </Title>
      {role === 'USER' ? (
        <EmptyNotice icon={<IconLock size={40} aria-hidden />} title={t('admin.notForYou')}>
          {t('admin.notForYouHint')}
        </EmptyNotice>
      ) : (
        <>
          <PartLinks current={name} />
          {/* Of its own for each part: nothing of one is shown under the name of another. */}
          <Suspense key={name} fallback={<Box mih="60vh" />}>
            <Part />
          </Suspense>
        </>
      )}
    </Box>
  );
}
