import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { EntryRecord, ShareSummary } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { useDriveId } from '../../drives/use-drive.ts';
import { toSharePage } from '../addresses.ts';
import { newestSharesQuery } from '../shared-ids.ts';
import { LinkCard } from './link-card.tsx';
import { LinkMaker } from './link-maker.tsx';
import { ShareForm } from './share-form.tsx';
import { type ShareOptions, toCreateBody } from './share-options.ts';
import { ShareRow } from './share-row.tsx';

/** Creates a share of a file, and shows the existing ones. */
export function ShareFile({ entry }: { entry: EntryRecord }) {
  const { t } = useTranslation();
  const drive = useDriveId();
  const { data: others = [] } = useQuery({
    // The service cannot filter shares by file.
    ...newestSharesQuery(drive),
    select: ({ items }) => items.filter(({ file }) => file?.id === entry.id),
  });
  return (
    <Stack gap="lg">
      <LinkMaker<ShareOptions, ShareSummary>
        intro={t('shares.fileIntro')}
        renderForm={(form) => <ShareForm fileName={entry.filename} {...form} />}
        create={(options) =>
          ask('POST /api/v2/shares', { body: toCreateBody(entry.id, options, Date.now()), drive })
        }
        showNew={({ token, shareName, passwordRequired }, password) => (
          <LinkCard
            address={toSharePage(token)}
            name={shareName}
            password={passwordRequired ? password : undefined}
            isNew
          />
        )}
        othersTitle={t('shares.already')}
        others={others}
        renderOther={(share) => <ShareRow key={share.id} share={share} isBesideFile />}
      />
    </Stack>
  );
}
