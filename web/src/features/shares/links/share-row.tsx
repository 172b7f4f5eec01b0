import { useTranslation } from 'react-i18next';
import type { ShareSummary } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { useDriveId } from '../../drives/use-drive.ts';
import { toSharePage } from '../addresses.ts';
import { ShareBadges, ShareCounts } from '../share-facts.tsx';
import { EditLink } from './edit-link.tsx';
import { LinkRow } from './link-row.tsx';
import type { LinkTarget } from './link-target.ts';
import { ShareForm } from './share-form.tsx';
import { optionsOf, toChangeBody } from './share-options.ts';

interface ShareRowProps {
  readonly share: ShareSummary;
  /** Whether the row is shown next to the file. Then its icon and path are omitted. */
  readonly isBesideFile?: boolean;
}

/** One of the user's shares. */
export function ShareRow({ share, isBesideFile = false }: ShareRowProps) {
  const drive = useDriveId();
  return (
    <LinkRow
      name={share.shareName}
      target={isBesideFile ? undefined : targetOf(share)}
      badges={<ShareBadges share={share} />}
      facts={<ShareCounts share={share} />}
      address={toSharePage(share.token)}
      remove={() => ask('DELETE /api/v2/shares/{id}', { path: { id: share.id }, drive })}
      renderEdit={(onClose) => <EditShare share={share} onClose={onClose} />}
    />
  );
}

function targetOf({ file }: ShareSummary): LinkTarget | undefined {
  if (file === undefined) return undefined;
  const { id, filename, contentType, path } = file;
  return { id, filename, contentType, directory: false, path };
}

/** Changes the options of a share. */
function EditShare({ share, onClose }: { readonly share: ShareSummary; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const drive = useDriveId();
  const { id, shareName, file, passwordRequired } = share;
  return (
    <EditLink
      title={t('shares.editTitle', { name: shareName })}
      readOptions={() => optionsOf(share)}
      save={(before, after) =>
        ask('PATCH /api/v2/shares/{id}', {
          path: { id },
          body: toChangeBody(before, after, Date.now()),
          drive,
        })
      }
      hasPassword={passwordRequired}
      renderForm={(form) => <ShareForm fileName={file?.filename ?? shareName} {...form} />}
      onClose={onClose}
    />
  );
}
