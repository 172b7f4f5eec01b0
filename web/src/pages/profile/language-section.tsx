import { NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ask } from '../../api/ask.ts';
import type { User } from '../../api/contract.ts';
import { updateUser } from '../../api/session.ts';
import { chooseLanguage, currentLanguage, LANGUAGES, type Language, messages } from '../../messages/i18n.ts';
import { tell, tellError } from '../../ui/tell.ts';

const OPTIONS = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));

/** The language of the page, here at once and from now on wherever one logs in. */
export function LanguageSection() {
  const { t } = useTranslation();
  const save = useMutation({
    mutationFn: (preferredLanguage: Language) =>
      ask<User>('PUT', '/api/user/profile', { body: { preferredLanguage } }),
    onSuccess: (user) => {
      updateUser(user);
      tell(messages.t('profile.saved'));
    },
    onError: tellError,
  });
  const choose = async (language: Language) => {
    await chooseLanguage(language);
    save.mutate(language);
  };
  return (
    <NativeSelect
      size="md"
      label={t('look.language')}
      description={t('profile.languageHint')}
      value={currentLanguage()}
      data={OPTIONS}
      maw={320}
      // The options are made of the languages.
      onChange={(event) => void choose(event.currentTarget.value as Language)}
    />
  );
}
