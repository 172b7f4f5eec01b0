import { IconHistory } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';

const ActivityPanel = lazyPart(
  async () => (await import('../../features/activity/activity-panel.tsx')).ActivityPanel,
);

/** Shows who changed what in a folder of a shared drive. */
export function ActivityButton({ drive, path }: { readonly drive: number; readonly path: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton variant="default" size={40} label={t('drive.do.activity')} onClick={() => setOpen(true)}>
        <IconHistory size={20} aria-hidden />
      </IconButton>
      {isOpen && (
        <Suspense fallback={null}>
          <ActivityPanel driveId={drive} directory={path} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
