import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShareSummary } from '../api/contract.ts';
import { useSession } from '../api/use-session.ts';
import { formatBytes } from '../messages/formats.ts';
import { formatFromNow } from '../messages/from-now.ts';
import { OwnShare } from './own-share.tsx';
import { PasswordForm } from './password-form.tsx';
import { PublicFailure } from './public-failure.tsx';
import { PublicFrame } from './public-frame.tsx';
import { PublicNotice } from './public-notice.tsx';
import { PublicSkeleton } from './public-skeleton.tsx';
import { ShareActions } from './share-actions.tsx';
import { SharedThing } from './shared-thing.tsx';
import { useSayPassword, useShare } from './use-shared.ts';
import { useTitle } from './use-title.ts';

/** What somebody sees who was sent the link of a share. */
export function PublicSharePage() {
  const { t } = useTranslation();
  const { token } = useParams({ from: '/s/$token' });
  const { data: share, error, refetch } = useShare(token);
  useTitle(share === undefined ? t('app.name') : `${share.shareName} · ${t('app.name')}`);
  return (
    <PublicFrame>
      {share === undefined && error === null && <PublicSkeleton />}
      {share === undefined && error !== null && (
        <PublicFailure error={error} onRetry={() => void refetch()} />
      )}
      {share !== undefined && <Share share={share} />}
    </PublicFrame>
  );
}

function Share({ share }: { share: ShareSummary }) {
  const { t } = useTranslation();
  const isOwn = useSession()?.user.username === share.ownerUsername;
  const say = useSayPassword(share.token);
  const { shareName, ownerUsername, file, expiresAt, maxDownloads, downloadCount } = share;
  // Whoever has used it last sees what came of that.
  const [hasUsed, setUsed] = useState(false);
  if (!isOwn && !hasUsed && (share.expired || share.exhausted)) {
    return (
      <PublicNotice ending={share.expired ? 'expired' : 'exhausted'} name={shareName} owner={ownerUsername} />
    );
  }
  const left = maxDownloads === null ? undefined : maxDownloads - downloadCount;
  return (
    <SharedThing
      name={shareName}
      ownerUsername={ownerUsername}
      file={file}
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
      ) : share.passwordRequired && !share.passwordVerified ? (
        <PasswordForm onSay={say} />
      ) : (
        <ShareActions share={share} onUsed={() => setUsed(true)} />
      )}
    </SharedThing>
  );
}
