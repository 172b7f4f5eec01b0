import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { filterOf } from '../admin-search.ts';
import { useAdminSearch } from '../use-admin-search.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** A filter that allows one of several values, or all. */
export function ChoiceFilter(parts: { name: string; label: string; choices: readonly Choice[] }) {
  const { t } = useTranslation();
  const { search, setFilter } = useAdminSearch();
  return (
    <NativeSelect
      label={parts.label}
      value={filterOf(search, parts.name)}
      data={[{ value: '', label: t('admin.list.any') }, ...parts.choices]}
      onChange={(event) => setFilter(parts.name, event.currentTarget.value)}
    />
  );
}
