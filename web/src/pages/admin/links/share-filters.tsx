import { useTranslation } from 'react-i18next';
import { ChoiceFilter } from '../list/choice-filter.tsx';
import { FilterBar } from '../list/filter-bar.tsx';
import { TextFilter } from '../list/text-filter.tsx';

/** The filters of shares and of folder links. */
export const SHARE_FILTERS: readonly string[] = [
  'userQuery',
  'fileName',
  'token',
  'passwordProtected',
  'expired',
];

export function ShareFilters() {
  const { t } = useTranslation();
  const yesOrNo = [
    { value: 'true', label: t('admin.yes') },
    { value: 'false', label: t('admin.no') },
  ];
  return (
    <FilterBar>
      <TextFilter name="userQuery" label={t('admin.owner')} hint={t('admin.ownerHint')} />
      <TextFilter name="fileName" label={t('admin.shares.fileName')} />
      <TextFilter name="token" label={t('admin.shares.token')} />
      <ChoiceFilter name="passwordProtected" label={t('admin.shares.password')} choices={yesOrNo} />
      <ChoiceFilter name="expired" label={t('admin.shares.expired')} choices={yesOrNo} />
    </FilterBar>
  );
}
