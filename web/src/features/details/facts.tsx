import { Anchor, Code, Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { EntryDetails, EntryRecord } from '../../../../client/src/client.ts';
import { toDirectory } from '../../common/names/drive-paths.ts';
import { formatBytes, formatLocalTime, formatNumber, formatTime } from '../../messages/formats.ts';
import { formatLength } from '../../ui/pictures/format-length.ts';
import { useDriveName } from '../drives/drive-names.ts';
import { driveOf } from '../entries/drive-of.ts';
import { useLinkCount } from '../shares/shared-ids.ts';
import { CameraFacts } from './camera-facts.tsx';
import { CopiedValue } from './copied-value.tsx';
import classes from './details.module.css';
import { Fact } from './fact.tsx';
import { type FileType, fileTypeOf } from './file-type.ts';
import { factsOf } from './metadata-facts.ts';

interface FactsProps {
  readonly entry: EntryRecord;
  /** Undefined until the details are loaded. */
  readonly details: EntryDetails | undefined;
  /** Called when the user follows a link to another page. */
  readonly onLeave?: (() => void) | undefined;
}

/** A line for each known fact. */
export function Facts({ entry, details, onLeave }: FactsProps) {
  const { t } = useTranslation();
  const drive = driveOf(entry);
  const driveName = useDriveName(drive);
  const { parentPath, size, createdAt, modifiedAt, updatedAt, directory, changedBy } = entry;
  return (
    <dl className={classes.facts}>
      <Fact name={t('details.place')}>
        <Anchor
          renderRoot={(props) => <Link {...toDirectory(parentPath, { drive })} {...props} />}
          underline="always"
          onClick={onLeave}
        >
          {[driveName, ...parentPath.split('/').filter((name) => name !== '')].join(' / ')}
        </Anchor>
      </Fact>
      <TypeFacts entry={entry} details={details} />
      {!directory && (
        <Fact name={t('details.size')}>
          {size < 1_000
            ? formatBytes(size)
            : t('details.bytes', { size: formatBytes(size), exact: formatNumber(size) })}
        </Fact>
      )}
      {directory && <FolderFacts details={details} />}
      <Fact name={t('details.changed')}>
        <time dateTime={modifiedAt}>{formatTime(modifiedAt)}</time>
      </Fact>
      {changedBy !== undefined && (
        <Fact name={t('activity.lastChange')}>
          <time dateTime={updatedAt}>
            {t('activity.changedBy', {
              name: changedBy?.displayName ?? t('activity.gone'),
              time: formatTime(updatedAt),
            })}
          </time>
        </Fact>
      )}
      <Fact name={t('details.created')}>
        <time dateTime={createdAt}>{formatTime(createdAt)}</time>
      </Fact>
      <Fact name={t('details.linksTitle')}>
        <LinksFact entry={entry} onLeave={onLeave} />
      </Fact>
      {!directory && (
        <Fact name={t('details.checksum')}>
          <Sum of={details} />
        </Fact>
      )}
    </dl>
  );
}

function TypeFacts({ entry, details }: Pick<FactsProps, 'entry' | 'details'>) {
  const { t } = useTranslation();
  if (entry.directory) return <Fact name={t('details.type')}>{t('details.folder')}</Fact>;
  const facts = factsOf(details?.metadata ?? {});
  const { pixels, duration, takenAt, contentType, linkTitle, sender, others } = facts;
  const nameOf = ({ purpose, format }: FileType) => t(`details.types.${purpose}`, { format });
  const type = nameOf(fileTypeOf(entry));
  const typeByBytes = contentType && nameOf(fileTypeOf({ filename: '', contentType }));
  return (
    <>
      <Fact name={t('details.type')} title={entry.contentType}>
        {type}
      </Fact>
      {typeByBytes !== undefined && typeByBytes !== type && (
        <Fact name={t('details.typeByBytes')} title={contentType}>
          {typeByBytes}
        </Fact>
      )}
      {pixels !== undefined && (
        <Fact name={t('details.dimensions')}>
          {t('details.pixels', { width: formatNumber(pixels.width), height: formatNumber(pixels.height) })}
        </Fact>
      )}
      {duration !== undefined && <Fact name={t('details.duration')}>{formatLength(duration)}</Fact>}
      {takenAt !== undefined && (
        <Fact name={t('details.takenAt')}>
          <time dateTime={takenAt}>{formatLocalTime(takenAt)}</time>
        </Fact>
      )}
      <CameraFacts {...facts} />
      {sender !== undefined && <Fact name={t('details.sender')}>{sender}</Fact>}
      {linkTitle !== undefined && <Fact name={t('details.receivedThrough')}>{linkTitle}</Fact>}
      {others.map(([name, text]) => (
        <Fact key={name} name={name}>
          {text}
        </Fact>
      ))}
    </>
  );
}

/** The totals of a folder, at any depth. The service does not count very large folders. */
function FolderFacts({ details }: Pick<FactsProps, 'details'>) {
  const { t } = useTranslation();
  const { totalSize, fileCount, directoryCount } = details ?? {};
  if (details === undefined || fileCount === undefined) {
    return (
      <Fact name={t('details.contents')}>
        <Skeleton h={20} />
      </Fact>
    );
  }
  if (fileCount === null) return <Fact name={t('details.contents')}>{t('details.uncounted')}</Fact>;
  return (
    <>
      <Fact name={t('details.contents')}>
        {t('details.files', { count: fileCount })}, {t('details.folders', { count: directoryCount ?? 0 })}
      </Fact>
      <Fact name={t('details.size')}>{formatBytes(totalSize ?? 0)}</Fact>
    </>
  );
}

function Sum({ of }: { of: EntryDetails | undefined }) {
  const { t } = useTranslation();
  if (of === undefined) return <Skeleton h={40} />;
  if (of.sha256 === null) return t('details.checksumSoon');
  return (
    <CopiedValue value={of.sha256} label={t('details.copy')}>
      <Code>{of.sha256}</Code>
    </CopiedValue>
  );
}

/** The number of working links to an entry, which leads to the page of all links. */
function LinksFact({ entry, onLeave }: Pick<FactsProps, 'entry' | 'onLeave'>) {
  const { t } = useTranslation();
  const count = useLinkCount(entry.id);
  if (count === 0) return t('details.noLinks');
  return (
    <Anchor
      renderRoot={(props) => (
        <Link to="/shared" search={{ file: entry.id, drive: driveOf(entry) }} {...props} />
      )}
      underline="always"
      onClick={onLeave}
    >
      {t('details.links', { count })}
    </Anchor>
  );
}
