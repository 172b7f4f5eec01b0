import { Box, Title } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '../../api/use-session.ts';
import { NotFound } from '../../shell/not-found.tsx';
import { EmptyNotice } from '../../ui/placeholders/empty-notice.tsx';
import classes from './admin.module.css';
import { findPart, PART_NAMES, type PartName } from './part-names.ts';
import { PARTS } from './parts.ts';

/** The administration. The address selects its part: `/admin/users` and so on. */
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
          {/* The key gives each part its own boundary, so a part is never shown under another's name. */}
          <Suspense key={name} fallback={<Box mih="60vh" />}>
            <Part />
          </Suspense>
        </>
      )}
    </Box>
  );
}

/** The navigation between the parts. */
function PartLinks({ current }: { current: PartName | undefined }) {
  const { t } = useTranslation();
  const bar = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls again when another part is opened
  useEffect(() => {
    const link = bar.current?.querySelector('[aria-current]');
    // Only the bar scrolls, never the page.
    if (link instanceof HTMLElement && bar.current !== null) {
      bar.current.scrollLeft = link.offsetLeft - (bar.current.clientWidth - link.offsetWidth) / 2;
    }
  }, [current]);
  return (
    <nav ref={bar} className={classes.parts} aria-label={t('admin.parts.all')}>
      {PART_NAMES.map((name) => {
        const { Icon } = PARTS[name];
        return (
          <Link
            key={name}
            to="/admin/{-$part}"
            params={{ part: name === 'summary' ? undefined : name }}
            className={classes.part}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            <Icon size={16} aria-hidden />
            {t(`admin.parts.${name}`)}
          </Link>
        );
      })}
    </nav>
  );
}
