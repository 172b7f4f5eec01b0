import { useTranslation } from 'react-i18next';
import { useInstance } from '../../api/use-instance.ts';
import { Panel } from '../../ui/dialogs/panel.tsx';
import { labelled } from '../../ui/labelled.ts';
import { Navigation } from './navigation.tsx';

/** The navigation on a small screen, as a drawer over the page. */
export function NavigationDrawer({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { name } = useInstance();
  return (
    <Panel
      onClose={onClose}
      position="left"
      size={280}
      title={name}
      closeButtonProps={labelled(t('nav.close'))}
      padding="xs"
      styles={{ body: { display: 'flex', flexDirection: 'column', height: 'calc(100% - 60px)' } }}
    >
      <Navigation onChosen={onClose} />
    </Panel>
  );
}
