import type { ReactElement } from 'react';
import { OpenedMenu } from '../../ui/menus/opened-menu.tsx';
import { ColumnItems } from './column-items.tsx';

/** The menu at the column heads, next to its button in the document order. */
export function ColumnMenuList({ target }: { readonly target: ReactElement<object> }) {
  return (
    <OpenedMenu
      target={target}
      position="bottom-end"
      width={200}
      closeOnItemClick={false}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <ColumnItems />
    </OpenedMenu>
  );
}
