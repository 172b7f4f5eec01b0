import { Drawer } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { labelled } from '../../ui/labelled.ts';
import { Navigation } from './navigation.tsx';

/** The navigation on a small screen, as a drawer over the page. */
export function NavigationDrawer({ isOpen, onClose }: { readonly isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      size={280}
      title={t('app.name')}
      closeButtonProps={labelled(t('nav.close'))}
      padding="xs"
      styles={{ body: { display: 'flex', flexDirection: 'column', height: 'calc(100% - 60px)' } }}
    >
      <Navigation onChosen={onClose} />
    </Drawer>
  );
}
