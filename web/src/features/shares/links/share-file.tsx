import { Alert, Button, Divider, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../../api/ask.ts';
import type { EntryRecord, ShareSummary } from '../../../api/contract.ts';
import { KEYS } from '../../../api/keys.ts';
import { tellError } from '../../../ui/tell.ts';
import { toSharePage } from '../addresses.ts';
import { newestSharesQuery } from '../shared-ids.ts';
import { LinkCard } from './link-card.tsx';
import { ShareForm } from './share-form.tsx';
import { type ShareOptions, toCreateBody } from './share-options.ts';
import { ShareRow } from './share-row.tsx';
import styles from './shares.module.css';

/** Creates a share of a file, and shows the existing ones. */
export function ShareFile({ entry }: { entry: EntryRecord }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [made, setMade] = useState<{ share: ShareSummary; password: string }>();
  const create = useMutation({
    mutationFn: (options: ShareOptions) =>
      ask<ShareSummary>('POST', '/api/v2/shares', { body: toCreateBody(entry.id, options, Date.now()) }),
    onSuccess: (share, { password }) => {
      setMade({ share, password });
      return queries.invalidateQueries({ queryKey: KEYS.shares() });
    },
    onError: tellError,
  });
  const { data: before } = useQuery({
    // The service cannot filter shares by file.
    ...newestSharesQuery(),
    select: ({ items }) => items.filter(({ file }) => file?.id === entry.id),
  });
  const others = before?.filter(({ id }) => id !== made?.share.id) ?? [];
  return (
    <Stack gap="lg">
      {made === undefined ? (
        <>
          <Text size="sm" c="dimmed">
            {t('shares.fileIntro')}
          </Text>
          <ShareForm
            fileName={entry.filename}
            action={t('shares.create')}
            isPending={create.isPending}
            onSubmit={create.mutate}
          />
        </>
      ) : (
        <>
          <Alert color="green" icon={<IconCircleCheck aria-hidden />} role="status">
            {t('shares.made')}
          </Alert>
          <LinkCard
            address={toSharePage(made.share.token)}
            name={made.share.shareName}
            password={made.share.passwordRequired ? made.password : undefined}
            isNew
          />
          <Button variant="subtle" onClick={() => setMade(undefined)}>
            {t('shares.another')}
          </Button>
        </>
      )}
      {others.length > 0 && (
        <section>
          <Divider mb="md" />
          <Title order={3} size="h5" mb="xs">
            {t('shares.already')}
          </Title>
          <ul className={styles.list}>
            {others.map((share) => (
              <ShareRow key={share.id} share={share} isBesideFile />
            ))}
          </ul>
        </section>
      )}
    </Stack>
  );
}
