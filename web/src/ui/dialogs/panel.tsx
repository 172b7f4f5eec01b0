import { Drawer, type DrawerProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { labelled } from '../labelled.ts';
import { useIsNarrow } from '../screen-size.ts';
import { useReturnedFocus } from './use-returned-focus.ts';

interface PanelProps extends Omit<DrawerProps, 'opened'> {
  /** In pixels, beside the page. */
  readonly width?: number;
}

/**
 * A dialog at the side of the page, on a phone at its lower edge. It is open as long as it is rendered.
 * Afterwards, the focus returns to where it was.
 */
export function Panel({ width = 420, ...props }: PanelProps) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  useReturnedFocus();
  return (
    <Drawer
      opened
      position={isNarrow ? 'bottom' : 'right'}
      size={isNarrow ? '75%' : width}
      closeButtonProps={{ ...labelled(t('common.close')), size: 40 }}
      {...props}
    />
  );
}
