import { Switch } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseFallback, readFallback } from '../session/fallback-choice.ts';

/** Whether files are stored without asking if there is no direct connection. The browser remembers it. */
export function FallbackSwitch() {
  const { t } = useTranslation();
  const [isOn, setOn] = useState(readFallback() === 'store');
  return (
    <Switch
      label={t('transfer.byItself')}
      checked={isOn}
      onChange={({ currentTarget: { checked } }) => {
        setOn(checked);
        chooseFallback(checked ? 'store' : 'ask');
      }}
    />
  );
}
