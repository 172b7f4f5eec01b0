import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShareSummary } from '../../../../client/src/client.ts';
import { useSession } from '../../api/use-session.ts';
import { wasPasswordChanged } from '../../features/shares/public/entered-passwords.ts';
import { OwnShare } from '../../features/shares/public/own-share.tsx';
import { PasswordForm } from '../../features/shares/public/password-form.tsx';
import { PublicFailure } from '../../features/shares/public/public-failure.tsx';
import { PublicFrame } from '../../features/shares/public/public-frame.tsx';
import { PublicNotice } from '../../features/shares/public/public-notice.tsx';
import { PublicSkeleton } from '../../features/shares/public/public-skeleton.tsx';
import { ShareActions } from '../../features/shares/public/share-actions.tsx';
import { SharedEntryCard } from '../../features/shares/public/shared-entry-card.tsx';
import { useEnterPassword, useShare } from '../../features/shares/public/use-shared.ts';
import { useTitle } from '../../features/shares/public/use-title.ts';
import { formatBytes } from '../../messages/formats.ts';
import { formatFromNow } from '../../messages/from-now.ts';
import { hasContent, isPictured, SharedContent } from './shared-content.tsx';

/** The public page of a share. */
export function PublicSharePage() {
  const { t } = useTranslation();
  const { token } = useParams({ from: '/s/$token' });
  const { data: share, error, refetch } = useShare(token);
  const isLocked = useIsLocked(share);
  const title = isLocked ? t('shares.protected') : share?.shareName;
  useTitle(title);
  return (
    <PublicFrame layout={share?.file !== undefined && hasContent(share.file) ? 'wide' : 'card'}>
      {share === undefined && error === null && <PublicSkeleton />}
      {share === undefined && error !== null && (
        <PublicFailure error={error} onRetry={() => void refetch()} />
      )}
      {share !== undefined && <Share share={share} />}
    </PublicFrame>
  );
}

/** Whether the password must still be entered. Until then, the page names neither the file nor its owner. */
function useIsLocked(share: ShareSummary | undefined): boolean {
  const isOwn = useSession()?.user.username === share?.ownerUsername;
  return share !== undefined && !isOwn && share.passwordRequired && !share.passwordVerified;
}

function Share({ share }: { share: ShareSummary }) {
  const { t } = useTranslation();
  const isLocked = useIsLocked(share);
  const isOwn = useSession()?.user.username === share.ownerUsername;
  const say = useEnterPassword(share.token);
  const { shareName, ownerUsername, file, expiresAt, maxDownloads, downloadCount } = share;
  // After the visitor has used the share, the page stays and shows the result.
  const [hasUsed, setUsed] = useState(false);
  if (!isOwn && !hasUsed && (share.expired || share.exhausted)) {
    const names = isLocked ? {} : { name: shareName, owner: ownerUsername };
    return <PublicNotice ending={share.expired ? 'expired' : 'exhausted'} {...names} />;
  }
  if (isLocked) {
    const reason = wasPasswordChanged(share.token) ? t('shares.passwordChanged') : undefined;
    return (
      <SharedEntryCard name={t('shares.protected')} ownerUsername={undefined} file={undefined} facts={[]}>
        <PasswordForm reason={reason} onEnter={say} />
      </SharedEntryCard>
    );
  }
  const left = maxDownloads === null ? undefined : maxDownloads - downloadCount;
  return (
    <SharedEntryCard
      name={shareName}
      ownerUsername={ownerUsername}
      ownerAvatarUrl={share.ownerAvatarUrl}
      file={file}
      isShown={!isOwn && file !== undefined && isPictured(file)}
      facts={[
        file && formatBytes(file.size),
        expiresAt === null || share.expired
          ? undefined
          : t('shares.expiresAt', { when: formatFromNow(expiresAt) }),
        left === undefined ? undefined : t('shares.usesLeft', { count: left }),
      ]}
    >
      {isOwn ? (
        <OwnShare share={share} />
      ) : (
        <>
          {file !== undefined && <SharedContent share={share} file={file} onUsed={() => setUsed(true)} />}
          <ShareActions share={share} onUsed={() => setUsed(true)} />
        </>
      )}
    </SharedEntryCard>
  );
}
