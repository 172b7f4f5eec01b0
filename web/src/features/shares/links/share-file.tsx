import { Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord, ShareSummary } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { notifyError } from '../../../ui/notifications/notify.ts';
import { toSharePage } from '../addresses.ts';
import { newestSharesQuery } from '../shared-ids.ts';
import { LinkMaker } from './link-maker.tsx';
import { ShareForm } from './share-form.tsx';
import { type ShareOptions, toCreateBody } from './share-options.ts';
import { ShareRow } from './share-row.tsx';

/** Creates a share of a file, and shows the existing ones. */
export function ShareFile({ entry }: { entry: EntryRecord }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [made, setMade] = useState<{ share: ShareSummary; password: string }>();
  const create = useMutation({
    mutationFn: (options: ShareOptions) =>
      ask('POST /api/v2/shares', { body: toCreateBody(entry.id, options, Date.now()) }),
    onSuccess: (share, { password }) => {
      setMade({ share, password });
      return queries.invalidateQueries({ queryKey: KEYS.shares() });
    },
    onError: notifyError,
  });
  const { data: before } = useQuery({
    // The service cannot filter shares by file.
    ...newestSharesQuery(),
    select: ({ items }) => items.filter(({ file }) => file?.id === entry.id),
  });
  const others = before?.filter(({ id }) => id !== made?.share.id) ?? [];
  return (
    <Stack gap="lg">
      <LinkMaker
        intro={t('shares.fileIntro')}
        form={
          <ShareForm
            fileName={entry.filename}
            action={t('shares.create')}
            isPending={create.isPending}
            onSubmit={create.mutate}
          />
        }
        made={
          made && {
            address: toSharePage(made.share.token),
            name: made.share.shareName,
            password: made.share.passwordRequired ? made.password : undefined,
          }
        }
        onAnother={() => setMade(undefined)}
        othersTitle={t('shares.already')}
        others={others.map((share) => <ShareRow key={share.id} share={share} isBesideFile />)}
      />
    </Stack>
  );
}
