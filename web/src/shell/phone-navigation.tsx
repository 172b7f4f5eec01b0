import { Drawer } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Navigation } from './navigation.tsx';

/** Where one can go, over the page: on screens that have no room for it beside the page. */
export function PhoneNavigation({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      hiddenFrom="sm"
      size={280}
      title={t('app.name')}
      closeButtonProps={{ 'aria-label': t('nav.close'), size: 40 }}
      padding="xs"
      styles={{ body: { display: 'flex', flexDirection: 'column', height: 'calc(100% - 60px)' } }}
    >
      <Navigation onChosen={onClose} />
    </Drawer>
  );
}
