import { Accordion, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord, FolderLinkRecord } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { notifyError } from '../../../ui/notifications/notify.ts';
import { newestFolderLinksQuery } from '../folder-link-queries.ts';
import { CopyFolderLink } from '../links/copy-folder-link.tsx';
import { LinkMaker } from '../links/link-maker.tsx';
import { toFolderLinkPage } from './folder-link-addresses.ts';
import { FolderLinkForm } from './folder-link-form.tsx';
import { type FolderLinkOptions, toLinkBody } from './folder-link-options.ts';
import { FolderLinkRow } from './folder-link-row.tsx';

/**
 * Shares a folder: with visitors, who need no account, or with people who copy it into their drive.
 * @param entry undefined for the root of the drive, which can be shared with visitors only
 */
export function ShareFolder({ entry }: { readonly entry: EntryRecord | undefined }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [made, setMade] = useState<{ link: FolderLinkRecord; password: string }>();
  const create = useMutation({
    mutationFn: (options: FolderLinkOptions) =>
      ask('POST /api/v2/folder-links', {
        body: toLinkBody(entry?.id ?? null, options, Date.now()),
      }),
    onSuccess: (link, { password }) => {
      setMade({ link, password });
      return queries.invalidateQueries({ queryKey: KEYS.shares() });
    },
    onError: notifyError,
  });
  const { data: before } = useQuery({
    ...newestFolderLinksQuery(),
    select: ({ items }) =>
      items.filter(({ directoryId, directoryPath }) =>
        entry === undefined ? directoryPath === '/' : directoryId === entry.id,
      ),
  });
  const others = before?.filter(({ id }) => id !== made?.link.id) ?? [];
  return (
    <Stack gap="lg">
      <LinkMaker
        intro={t('folderLinks.intro')}
        form={
          <FolderLinkForm
            folderName={entry?.filename ?? t('nav.drive')}
            action={t('shares.create')}
            isPending={create.isPending}
            onSubmit={create.mutate}
          />
        }
        made={
          made && {
            address: toFolderLinkPage(made.link.token),
            name: made.link.title,
            password: made.link.passwordProtected ? made.password : undefined,
          }
        }
        onAnother={() => setMade(undefined)}
        othersTitle={t('folderLinks.already')}
        others={others.map((link) => <FolderLinkRow key={link.id} link={link} isBesideFolder />)}
      />
      {entry !== undefined && (
        <Accordion variant="contained" order={3}>
          <Accordion.Item value="copies">
            <Accordion.Control>{t('folderLinks.copyLinks')}</Accordion.Control>
            <Accordion.Panel>
              <CopyFolderLink entry={entry} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
    </Stack>
  );
}
