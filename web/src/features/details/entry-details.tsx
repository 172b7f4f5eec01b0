import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { queryOf } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { FailureNotice } from '../../ui/placeholders/failure-notice.tsx';
import { DriveContext } from '../drives/use-drive.ts';
import { driveOf } from '../entries/drive-of.ts';
import { EntryPicture } from '../entries/grid/entry-picture.tsx';
import classes from './details.module.css';
import { Facts } from './facts.tsx';
import { Versions } from './versions.tsx';

/** The polling interval until the checksum is computed, which happens soon after the upload. */
const CHECKSUM_MS = 4_000;

interface EntryDetailsProps {
  readonly entry: EntryRecord;
  /** Whether the file is shown beside the details. Then they omit its picture. */
  readonly isBesideFile?: boolean;
  /** Called when the user follows a link to another page. */
  readonly onLeave?: (() => void) | undefined;
}

/** The details of a file or folder: a picture, size, times, metadata, links, versions. */
export function EntryDetails({ entry, isBesideFile = false, onLeave }: EntryDetailsProps) {
  const { data, error, refetch } = useQuery({
    ...queryOf(KEYS.entry(entry.id), 'GET /api/v2/files/{fileId}', {
      path: { fileId: entry.id },
      drive: entry.driveId,
    }),
    refetchInterval: ({ state: { data: seen } }) =>
      seen !== undefined && !seen.directory && seen.sha256 === null ? CHECKSUM_MS : false,
  });
  // The data that the page already has is shown immediately.
  const shown = data ?? entry;
  return (
    <Stack gap="lg">
      {!isBesideFile && (
        <div className={classes.picture}>
          <EntryPicture key={entry.id} entry={shown} />
        </div>
      )}
      <Title order={3} size="h4" className={classes.name}>
        {shown.filename}
      </Title>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <DriveContext value={driveOf(entry)}>
        <Facts entry={shown} details={data} onLeave={onLeave} />
        {!entry.directory && <Versions key={entry.id} file={shown} />}
      </DriveContext>
    </Stack>
  );
}
