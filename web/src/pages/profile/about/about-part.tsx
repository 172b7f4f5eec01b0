import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { updateUser } from '../../../api/session.ts';
import { useUser } from '../../../api/use-session.ts';
import { Section } from '../section.tsx';
import { DetailsSection } from './details-section.tsx';
import { LanguageSection } from './language-section.tsx';
import { PictureSection } from './picture-section.tsx';
import { StorageSection } from './storage-section.tsx';

/** Who the user is, their language and their storage. */
export function AboutPart() {
  const { t } = useTranslation();
  const user = useUser();
  const { data } = useQuery(queryOf(KEYS.profile(), 'GET /api/user/profile'));
  // The profile may have been changed on another device since the login.
  useEffect(() => {
    if (data !== undefined) updateUser(data);
  }, [data]);
  return (
    <>
      <Section title={t('profile.you')}>
        <PictureSection />
        <DetailsSection user={user} />
      </Section>
      <LanguageSection />
      <Section title={t('profile.storage')}>
        <StorageSection user={user} />
      </Section>
    </>
  );
}
