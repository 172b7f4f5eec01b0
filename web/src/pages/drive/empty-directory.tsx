import { IconFolderOpen } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { EmptyNotice } from '../../ui/empty-notice.tsx';

export function EmptyDirectory({ isRoot }: { readonly isRoot: boolean }) {
  const { t } = useTranslation();
  return (
    <EmptyNotice
      icon={<IconFolderOpen size={56} stroke={1.2} aria-hidden />}
      title={t(isRoot ? 'drive.emptyDrive' : 'drive.emptyFolder')}
    >
      {t('drive.emptyHint')}
    </EmptyNotice>
  );
}
