import { Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../common/timing/lazy-part.ts';

const ShareDialog = lazyPart(async () => (await import('./share-dialog.tsx')).ShareDialog);

/** The button that shares the root of the drive, which has no row of its own. */
export function ShareDrive() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" h={40} onClick={() => setOpen(true)}>
        {t('folderLinks.shareDrive')}
      </Button>
      <Suspense>{isOpen && <ShareDialog entry={undefined} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
