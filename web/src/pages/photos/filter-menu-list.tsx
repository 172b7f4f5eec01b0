import { Menu } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { OpenedMenu } from '../../ui/menus/opened-menu.tsx';
import type { FilterChoice } from './photo-filter.ts';

const KINDS = ['all', 'image', 'video'] as const;

/** The kinds of pictures, of which one is shown, and further conditions. */
export function FilterMenuList({
  target,
  filter,
  onChange,
  onLeftOut,
}: FilterChoice & { readonly target: ReactElement<object>; readonly onLeftOut: () => void }) {
  const { t } = useTranslation();
  return (
    // Placed next to its button in the document order, for screen readers.
    <OpenedMenu target={target} position="bottom-end" width={220} withinPortal={false}>
      <Menu.RadioGroup
        value={filter.kind ?? 'all'}
        onChange={(chosen) => {
          const kind = KINDS.find((each) => each === chosen);
          onChange({ ...filter, kind: kind === 'all' ? undefined : kind });
        }}
      >
        {KINDS.map((kind) => (
          <Menu.RadioItem key={kind} value={kind} mih="var(--tap-size)">
            {t(`photos.kind_${kind}`)}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Divider />
      <Menu.CheckboxItem
        mih="var(--tap-size)"
        checked={filter.starred === true}
        onChange={(isChecked) => onChange({ ...filter, starred: isChecked || undefined })}
      >
        {t('photos.favourites')}
      </Menu.CheckboxItem>
      <Menu.CheckboxItem
        mih="var(--tap-size)"
        checked={filter.screenshots === false}
        onChange={(isChecked) => onChange({ ...filter, screenshots: isChecked ? false : undefined })}
      >
        {t('photos.hideScreenshots')}
      </Menu.CheckboxItem>
      <Menu.Divider />
      <Menu.Item mih="var(--tap-size)" onClick={onLeftOut}>
        {t('photos.leftOutItem')}
      </Menu.Item>
    </OpenedMenu>
  );
}
