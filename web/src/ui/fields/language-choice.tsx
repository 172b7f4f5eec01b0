import { NativeSelect } from '@mantine/core';
import { IconWorld } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, currentLanguage, LANGUAGES, type Language } from '../../messages/i18n.ts';

const OPTIONS = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));

/** A quiet field: few people need it, and only once. */
export function LanguageChoice() {
  const { t } = useTranslation();
  return (
    <NativeSelect
      variant="unstyled"
      aria-label={t('look.language')}
      leftSection={<IconWorld size={16} aria-hidden />}
      value={currentLanguage()}
      data={OPTIONS}
      // The options have no other values.
      onChange={(event) => void chooseLanguage(event.currentTarget.value as Language)}
    />
  );
}
