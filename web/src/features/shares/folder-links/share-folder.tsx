import { Accordion, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { EntryRecord, FolderLinkRecord } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { useDriveName } from '../../drives/drive-names.ts';
import { useDrive } from '../../drives/use-drive.ts';
import { newestFolderLinksQuery } from '../folder-link-queries.ts';
import { CopyFolderLink } from '../links/copy-folder-link.tsx';
import { LinkCard } from '../links/link-card.tsx';
import { LinkMaker } from '../links/link-maker.tsx';
import { newestLinksQuery } from '../shared-ids.ts';
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
  const { id: drive, can } = useDrive();
  const driveName = useDriveName(drive);
  const { data: others = [] } = useQuery({
    ...newestFolderLinksQuery(drive),
    select: ({ items }) =>
      items.filter(({ directoryId, directoryPath }) =>
        entry === undefined ? directoryPath === '/' : directoryId === entry.id,
      ),
  });
  const { data: hasCopyLink = false } = useQuery({
    ...newestLinksQuery(drive),
    select: ({ items }) => items.some(({ file }) => file.id === entry?.id),
  });
  return (
    <Stack gap="lg">
      <LinkMaker<FolderLinkOptions, FolderLinkRecord>
        intro={t('folderLinks.intro')}
        renderForm={(form) => <FolderLinkForm folderName={entry?.filename ?? driveName} {...form} />}
        create={(options) =>
          ask('POST /api/v2/folder-links', {
            body: toLinkBody(entry?.id ?? null, options, Date.now()),
            drive,
          })
        }
        showNew={({ token, title, passwordProtected }, password) => (
          <LinkCard
            address={toFolderLinkPage(token)}
            name={title}
            password={passwordProtected ? password : undefined}
            isNew
          />
        )}
        othersTitle={t('folderLinks.already')}
        others={others}
        renderOther={(link) => <FolderLinkRow key={link.id} link={link} isBesideFolder />}
      />
      {entry !== undefined && (can('EDIT') || hasCopyLink) && (
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
