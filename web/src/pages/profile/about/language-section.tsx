import { NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ask } from '../../../api/ask.ts';
import { updateUser } from '../../../api/session.ts';
import {
  chooseLanguage,
  currentLanguage,
  LANGUAGES,
  type Language,
  messages,
} from '../../../messages/i18n.ts';
import { notify, notifyError } from '../../../ui/notifications/notify.ts';
import { Hint, Section } from '../section.tsx';

const OPTIONS = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));

/** The language of the page. A change applies immediately and is stored for all devices. */
export function LanguageSection() {
  const { t } = useTranslation();
  const save = useMutation({
    mutationFn: (preferredLanguage: Language) =>
      ask('PUT /api/user/profile', { body: { preferredLanguage } }),
    onSuccess: (user) => {
      updateUser(user);
      notify(messages.t('profile.saved'));
    },
    onError: notifyError,
  });
  const choose = async (language: Language) => {
    await chooseLanguage(language);
    save.mutate(language);
  };
  return (
    <Section title={t('look.language')}>
      <Hint>{t('profile.languageHint')}</Hint>
      <NativeSelect
        size="md"
        // The heading already shows the name.
        aria-label={t('look.language')}
        value={currentLanguage()}
        data={OPTIONS}
        maw={320}
        // The options have no other values.
        onChange={(event) => void choose(event.currentTarget.value as Language)}
      />
    </Section>
  );
}
