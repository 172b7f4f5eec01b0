import { Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { nameOf, toDirectory } from '../../common/names/drive-paths.ts';
import { useDriveName } from '../../features/drives/drive-names.ts';
import { useDriveId } from '../../features/drives/use-drive.ts';
import { OpenedMenu } from '../../ui/menus/opened-menu.tsx';

/** The parent folders that do not fit into the trail. */
export function TrailMenuList({ target, steps }: { target: ReactElement<object>; steps: readonly string[] }) {
  const driveName = useDriveName(useDriveId());
  return (
    <OpenedMenu target={target} position="bottom-start" width={240}>
      {steps.map((step) => (
        <Menu.Item key={step} renderRoot={(root) => <Link {...toDirectory(step)} {...root} />}>
          {nameOf(step) || driveName}
        </Menu.Item>
      ))}
    </OpenedMenu>
  );
}
