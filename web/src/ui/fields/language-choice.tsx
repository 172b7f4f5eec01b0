import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, currentLanguage, LANGUAGES, type Language } from '../../messages/i18n.ts';

const OPTIONS = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));

export function LanguageChoice() {
  const { t } = useTranslation();
  return (
    <NativeSelect
      aria-label={t('look.language')}
      value={currentLanguage()}
      data={OPTIONS}
      // The options have no other values.
      onChange={(event) => void chooseLanguage(event.currentTarget.value as Language)}
    />
  );
}
