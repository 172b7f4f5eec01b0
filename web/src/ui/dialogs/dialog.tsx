import { Modal, type ModalProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { labelled } from '../labelled.ts';
import { useReturnedFocus } from './use-returned-focus.ts';

/** A dialog that is open as long as it is rendered. Afterwards, the focus returns to where it was. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  const { t } = useTranslation();
  useReturnedFocus();
  return <Modal opened closeButtonProps={labelled(t('common.close'))} {...props} />;
}
