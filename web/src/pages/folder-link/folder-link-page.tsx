import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublicFolderLink } from '../../../../client/src/client.ts';
import { HoldallError } from '../../../../client/src/errors/errors.ts';
import { SendPanel } from '../../features/sending/send-panel.tsx';
import { type Sending, useSending, useSentView } from '../../features/sending/use-visitor-uploads.ts';
import {
  enterPassword,
  useFolderLink,
  useRefreshFolderLink,
} from '../../features/shares/folder-links/use-folder-link.ts';
import { wasPasswordChanged } from '../../features/shares/public/entered-passwords.ts';
import { PasswordForm } from '../../features/shares/public/password-form.tsx';
import { PublicFailure } from '../../features/shares/public/public-failure.tsx';
import { PublicFrame } from '../../features/shares/public/public-frame.tsx';
import { PublicNotice } from '../../features/shares/public/public-notice.tsx';
import { PublicSkeleton } from '../../features/shares/public/public-skeleton.tsx';
import { useTitle } from '../../features/shares/public/use-title.ts';
import { LinkHead } from './link-head.tsx';
import { SharedFolder } from './view/shared-folder.tsx';

/** The public page of a folder link. It shows the content, accepts files, or both. */
export function FolderLinkPage() {
  const { token } = useParams({ from: '/f/$token' });
  return <LinkPage key={token} token={token} />;
}

function LinkPage({ token }: { readonly token: string }) {
  const { t } = useTranslation();
  const { data: link, error, refetch } = useFolderLink(token);
  const refresh = useRefreshFolderLink(token);
  const sending = useSending(token, link, refresh);
  const title = link?.passwordVerified === false ? t('shares.protected') : link?.title;
  useTitle(title);
  const { files } = useSentView(sending.uploads);
  const reason = usePasswordReason(link);
  const hasEnded = error instanceof HoldallError && [404, 410].includes(error.status);
  // If files were sent during this visit, the page stays, so that the visitor can see the results.
  if (error !== null && hasEnded && files.length === 0) {
    return (
      <PublicFrame>
        <Failure error={error} onRetry={() => void refetch()} />
      </PublicFrame>
    );
  }
  if (link?.passwordVerified === true && link.mode !== 'UPLOAD' && !hasEnded) {
    return (
      <PublicFrame layout="page">
        <SharedFolder link={link} sending={sending} />
      </PublicFrame>
    );
  }
  return (
    <PublicFrame layout={link?.passwordVerified === true ? 'wide' : 'card'}>
      {link === undefined && error === null && <PublicSkeleton />}
      {link === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {link !== undefined && <Closed {...{ link, sending, hasEnded, reason }} onEntered={refresh} />}
    </PublicFrame>
  );
}

/** Why an open link asks for its password again. Undefined at the beginning of a visit. */
function usePasswordReason(link: PublicFolderLink | undefined): string | undefined {
  const { t } = useTranslation();
  const [lastOpen, setLastOpen] = useState<PublicFolderLink>();
  if (link?.passwordVerified === true && link !== lastOpen) setLastOpen(link);
  if (link === undefined || link.passwordVerified) return undefined;
  if (wasPasswordChanged(link.token)) return t('shares.passwordChanged');
  if (lastOpen === undefined) return undefined;
  return t(lastOpen.passwordRequired ? 'shares.passwordAgain' : 'shares.passwordSet');
}

function Failure({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  if (error instanceof HoldallError && error.status === 410) return <PublicNotice ending="expired" />;
  return <PublicFailure error={error} onRetry={onRetry} />;
}

interface ClosedProps {
  readonly link: PublicFolderLink;
  readonly sending: Sending;
  readonly hasEnded: boolean;
  /** Why the password is asked for during the visit. */
  readonly reason: string | undefined;
  readonly onEntered: () => Promise<void>;
}

/** A link without visible content: the password is missing, it only takes files, or it has ended. */
function Closed({ link, sending, hasEnded, reason, onEntered }: ClosedProps) {
  return (
    <LinkHead link={link} isCentred>
      {link.passwordVerified || hasEnded ? (
        <SendPanel {...{ link, sending, hasEnded }} path={undefined} />
      ) : (
        <PasswordForm
          reason={reason}
          onEnter={async (password) => {
            await enterPassword(link.token, password);
            await onEntered();
          }}
        />
      )}
    </LinkHead>
  );
}
