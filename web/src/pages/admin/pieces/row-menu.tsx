import { Menu } from '@mantine/core';
import { IconDots, IconExternalLink, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import classes from '../admin.module.css';
import type { AdminSearch } from '../admin-search.ts';
import type { PartName } from '../part-names.ts';

/** The actions of a row, behind one button. */
export function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    // For screen readers, the menu is next to its button in the document and contains only its items.
    <Menu
      position="bottom-end"
      width={230}
      shadow="md"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <IconButton variant="subtle" color="gray" size={40} label={t('admin.list.actsFor', { name })}>
          <IconDots size={18} aria-hidden />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

/** A menu item that opens a page in a new tab. */
export function PageItem({ href, text }: { href: string; text: string }) {
  return (
    <Menu.Item
      component="a"
      href={href}
      target="_blank"
      leftSection={<IconExternalLink size={16} aria-hidden />}
    >
      {text}
    </Menu.Item>
  );
}

/** A menu item that opens a list with filters. */
export function ListItem(parts: {
  part: PartName;
  search: AdminSearch;
  Icon: ComponentType<{ size: number; 'aria-hidden': true }>;
  text: string;
}) {
  const { part, search, Icon, text } = parts;
  return (
    <Menu.Item
      leftSection={<Icon size={16} aria-hidden />}
      renderRoot={(props) => <Link to="/admin/{-$part}" params={{ part }} search={search} {...props} />}
    >
      {text}
    </Menu.Item>
  );
}

/** A menu item that asks whether to delete what the row shows. */
export function DeleteItem({ text, onClick }: { text: string; onClick: () => void }) {
  return (
    <Menu.Item className={classes.danger} leftSection={<IconTrash size={16} aria-hidden />} onClick={onClick}>
      {text}
    </Menu.Item>
  );
}
