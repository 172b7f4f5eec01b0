import { Modal, type ModalProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { labelled } from '../labelled.ts';
import { useReturnedFocus } from './use-returned-focus.ts';

interface DialogProps extends Omit<ModalProps, 'opened' | 'closeButtonProps'> {
  /** The size of the close button in pixels; that of Mantine by default. */
  readonly closeSize?: number;
}

/** A dialog that is open as long as it is rendered. Afterwards, the focus returns to where it was. */
export function Dialog({ closeSize, ...props }: DialogProps) {
  const { t } = useTranslation();
  useReturnedFocus();
  const size = closeSize === undefined ? {} : { size: closeSize };
  return <Modal opened closeButtonProps={{ ...labelled(t('common.close')), ...size }} {...props} />;
}
