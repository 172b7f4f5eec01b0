import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { NotFound } from '../../shell/not-found.tsx';
import { Page } from '../../ui/page/page.tsx';
import { PartArea } from '../../ui/parts/part-area.tsx';
import { findPart, type PartName } from './part-names.ts';
import { PARTS } from './parts.ts';
import classes from './profile.module.css';

/** The user's settings. The address selects the part: `/profile/security` and so on. */
export function ProfilePage() {
  const { t } = useTranslation();
  const name = findPart(useParams({ from: '/inside/profile/{-$part}' }).part);
  const Part = name === undefined ? NotFound : PARTS[name].Part;
  const toPart = (part: PartName) =>
    ({
      name: part,
      label: t(`nav.${part}`),
      Icon: PARTS[part].Icon,
      link: { to: '/profile/{-$part}', params: { part: part === 'profile' ? undefined : part } },
    }) as const;
  return (
    <Page title={t(`nav.${name ?? 'profile'}`)}>
      <PartArea
        label={t('nav.settings')}
        // The keys are the parts.
        groups={[{ parts: (Object.keys(PARTS) as PartName[]).map(toPart) }]}
        current={name}
      >
        <div className={classes.part}>
          <Part />
        </div>
      </PartArea>
    </Page>
  );
}
