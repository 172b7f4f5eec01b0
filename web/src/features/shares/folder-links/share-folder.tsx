import './folder-link-messages.ts';
import { Accordion, Alert, Button, Divider, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../../api/ask.ts';
import type { EntryRecord, FolderLinkRecord } from '../../../api/contract.ts';
import { KEYS } from '../../../api/keys.ts';
import { tellError } from '../../../ui/tell.ts';
import { newestFolderLinksQuery } from '../folder-link-queries.ts';
import { CopyFolderLink } from '../links/copy-folder-link.tsx';
import { LinkCard } from '../links/link-card.tsx';
import styles from '../links/shares.module.css';
import { toFolderLinkPage } from './folder-link-addresses.ts';
import { FolderLinkForm } from './folder-link-form.tsx';
import { type FolderLinkOptions, toLinkBody } from './folder-link-options.ts';
import { FolderLinkRow } from './folder-link-row.tsx';

/** Shares a folder: with visitors, who need no account, or with people who copy it into their drive. */
export function ShareFolder({ entry }: { readonly entry: EntryRecord }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [made, setMade] = useState<{ link: FolderLinkRecord; password: string }>();
  const create = useMutation({
    mutationFn: (options: FolderLinkOptions) =>
      ask<FolderLinkRecord>('POST', '/api/v2/folder-links', {
        body: toLinkBody(entry.id, options, Date.now()),
      }),
    onSuccess: (link, { password }) => {
      setMade({ link, password });
      return queries.invalidateQueries({ queryKey: KEYS.shares() });
    },
    onError: tellError,
  });
  const { data: before } = useQuery({
    ...newestFolderLinksQuery(),
    select: ({ items }) => items.filter(({ directoryId }) => directoryId === entry.id),
  });
  const others = before?.filter(({ id }) => id !== made?.link.id) ?? [];
  return (
    <Stack gap="lg">
      {made === undefined ? (
        <>
          <Text size="sm" c="dimmed">
            {t('folderLinks.intro')}
          </Text>
          <FolderLinkForm
            folderName={entry.filename}
            action={t('folderLinks.create')}
            isPending={create.isPending}
            onSubmit={create.mutate}
          />
        </>
      ) : (
        <>
          <Alert color="green" icon={<IconCircleCheck aria-hidden />} role="status">
            {t('folderLinks.made')}
          </Alert>
          <LinkCard
            address={toFolderLinkPage(made.link.token)}
            name={made.link.title}
            password={made.link.passwordProtected ? made.password : undefined}
            isNew
          />
          <Button variant="subtle" onClick={() => setMade(undefined)}>
            {t('folderLinks.another')}
          </Button>
        </>
      )}
      {others.length > 0 && (
        <section>
          <Divider mb="md" />
          <Title order={3} size="h5" mb="xs">
            {t('folderLinks.already')}
          </Title>
          <ul className={styles.list}>
            {others.map((link) => (
              <FolderLinkRow key={link.id} link={link} isBesideFolder />
            ))}
          </ul>
        </section>
      )}
      <Accordion variant="contained" order={3}>
        <Accordion.Item value="copies">
          <Accordion.Control>{t('folderLinks.copyLinks')}</Accordion.Control>
          <Accordion.Panel>
            <CopyFolderLink entry={entry} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}
