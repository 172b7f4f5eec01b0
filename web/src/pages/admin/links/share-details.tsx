import { useTranslation } from 'react-i18next';
import type { AdminShare } from '../../../../../client/src/client.ts';
import { formatBytes, formatNumber, formatTime } from '../../../messages/formats.ts';
import { DetailsDrawer } from '../pieces/details-drawer.tsx';
import { OwnerLink } from '../pieces/owner-link.tsx';

export function ShareDetails({ share, onClose }: { share: AdminShare; onClose: () => void }) {
  const { t } = useTranslation();
  const yesOrNo = (is: boolean) => t(is ? 'admin.yes' : 'admin.no');
  return (
    <DetailsDrawer
      title={share.shareName}
      onClose={onClose}
      facts={[
        [t('admin.owner'), <OwnerLink key="owner" username={share.ownerUsername} email={share.ownerEmail} />],
        [t('admin.shares.file'), share.filePath],
        [t('admin.files.type'), share.fileContentType],
        [t('admin.files.size'), formatBytes(share.fileSize)],
        [t('admin.shares.kind'), t(`admin.shares.kinds.${share.kind}`)],
        [t('admin.shares.token'), share.token],
        [t('admin.shares.password'), yesOrNo(share.passwordProtected)],
        [t('admin.shares.allowDownload'), yesOrNo(share.allowDownload)],
        [t('admin.shares.allowImport'), yesOrNo(share.allowImport)],
        [t('admin.shares.downloads'), formatNumber(share.downloadCount)],
        [
          t('admin.shares.maxDownloads'),
          share.maxDownloads === null ? t('admin.shares.unlimited') : formatNumber(share.maxDownloads),
        ],
        [t('admin.shares.views'), formatNumber(share.viewCount)],
        [
          t('admin.shares.expires'),
          share.expiresAt === null ? t('admin.shares.never') : formatTime(share.expiresAt),
        ],
        [t('admin.created'), formatTime(share.createdAt)],
        [t('admin.list.id'), share.id],
      ]}
    />
  );
}
