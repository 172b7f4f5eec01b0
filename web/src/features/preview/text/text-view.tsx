import { Alert, Button, Group, Loader, SegmentedControl, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { addressOf } from '../../../api/address-of.ts';
import { KEYS } from '../../../api/keys.ts';
import { lazyPart } from '../../../common/timing/lazy-part.ts';
import { formatBytes, formatTime } from '../../../messages/formats.ts';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import { useDrive, useDriveId } from '../../drives/use-drive.ts';
import { useContentQuery } from '../../search/use-content-search.ts';
import classes from '../preview.module.css';
import { type Draft, readDraft, removeDraft } from './drafts.ts';
import { takeEditRequest } from './edit-request.ts';
import { EncodingSelect } from './encoding-select.tsx';
import { MarkdownFolder } from './markdown/markdown-folder.ts';
import { type LoadedText, MAX_TEXT_BYTES } from './read-text.ts';
import textClasses from './text.module.css';
import { isWritable } from './text-bytes.ts';
import { canRender, TextContent } from './text-content.tsx';
import type { Encoding } from './text-encodings.ts';
import { MAX_ROWS, textKindOf } from './text-kind.ts';
import { TextMatches } from './text-matches.tsx';
import { useText } from './use-text.ts';

const TextEditor = lazyPart(async () => (await import('./text-editor.tsx')).TextEditor);

interface TextViewProps {
  readonly entry: EntryRecord;
  /** Shown if the file is not text. */
  readonly instead: ReactNode;
  readonly onEditing: (isEditing: boolean) => void;
  readonly onSave: () => void;
}

/** Shows a text file, rendered or as source, and its editor. HTML in the text is shown as source. */
export function TextView({ entry, instead, onEditing, onSave }: TextViewProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const drive = useDriveId();
  const [isEditing, setEditing] = useState(false);
  const [draft, setDraft] = useState(() => readDraft(entry.id));
  useEffect(() => {
    onEditing(isEditing);
    return () => onEditing(false);
  }, [isEditing, onEditing]);
  const { query, queryKey, encoding, setEncoding } = useText({
    fileKey: KEYS.entry(entry.id),
    address: addressOf('GET /api/files/download/{fileId}', {
      path: { fileId: entry.id },
      drive: entry.driveId,
    }),
    size: entry.size,
    // A refetch must not replace the text in the editor.
    enabled: !isEditing,
  });
  const { data, error, isPending, fetchStatus, refetch } = query;
  const canEdit = data?.etag !== undefined && isWritable(data);
  useEffect(() => {
    if (canEdit && takeEditRequest(entry.id)) setEditing(true);
  }, [canEdit, entry.id]);
  if (isPending) return <Loader color="gray" className={classes.loader} aria-label={t('preview.loading')} />;
  if (error !== null) {
    return (
      <div className={classes.card}>
        <FailureNotice error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (data === null) return instead;
  const waiting = <Loader color="gray" m="auto" aria-label={t('preview.loading')} />;
  const isWide = isEditing && textKindOf(entry) === 'markdown';
  return (
    <div className={classes.paper} data-wide={isWide || undefined}>
      <MarkdownFolder value={{ drive, folder: entry.parentPath }}>
        {isEditing ? (
          <Suspense fallback={waiting}>
            <TextEditor
              entry={entry}
              loaded={data}
              draft={draft}
              onClose={(stored) => {
                queryClient.setQueryData(queryKey, { ...data, ...stored });
                setDraft(undefined);
                setEditing(false);
                // Someone else may have changed the content since.
                void queryClient.invalidateQueries({ queryKey });
              }}
            />
          </Suspense>
        ) : (
          <ShownText
            entry={entry}
            data={data}
            encoding={encoding}
            onEncoding={setEncoding}
            // Includes a paused query, which waits for the connection.
            isTagAwaited={data.etag === undefined && fetchStatus !== 'idle'}
            draft={draft?.text === data.text ? undefined : draft}
            onDiscard={() => {
              removeDraft(entry.id);
              setDraft(undefined);
            }}
            onSave={onSave}
            onEdit={() => setEditing(true)}
          />
        )}
      </MarkdownFolder>
    </div>
  );
}

interface ShownTextProps {
  readonly entry: EntryRecord;
  readonly data: LoadedText;
  /** The encoding that the reader has chosen. */
  readonly encoding: Encoding | undefined;
  readonly onEncoding: (encoding: Encoding | undefined) => void;
  /** Whether the ETag is still being loaded. Without it, an edit could overwrite someone else's change. */
  readonly isTagAwaited: boolean;
  readonly draft: Draft | undefined;
  /** Called when the user discards the draft. */
  readonly onDiscard: () => void;
  readonly onSave: () => void;
  readonly onEdit: () => void;
}

function ShownText(props: ShownTextProps) {
  const { entry, data, encoding, onEncoding, isTagAwaited, draft, onDiscard, onSave, onEdit } = props;
  const { t } = useTranslation();
  const kind = textKindOf(entry);
  const isRenderable = canRender(data.text, kind);
  const isCut = entry.size > MAX_TEXT_BYTES;
  const hasChoice = isRenderable && (kind === 'markdown' || kind === 'table');
  const canEdit = useDrive().can('EDIT');
  const isEditable = canEdit && !isCut && isWritable(data);
  const query = useContentQuery();
  // A long table lacks the rows in which something may have been found.
  const [isSource, setSource] = useState(() => kind === 'table' && query !== '' && isLongTable(data.text));
  const [section, setSection] = useState<HTMLElement | null>(null);
  return (
    <>
      {isCut && (
        <Text size="sm" className={classes.cut} component="div">
          {t('preview.cut', { shown: formatBytes(MAX_TEXT_BYTES), all: formatBytes(entry.size) })}
          <Button size="compact-sm" variant="default" onClick={onSave}>
            {t('preview.download')}
          </Button>
        </Text>
      )}
      {isEditable && draft !== undefined && (
        <Alert color="yellow" role="status" m="xs" p="xs">
          <Group justify="space-between" gap="xs">
            <span>{t('preview.draft', { time: formatTime(new Date(draft.typedAt).toISOString()) })}</span>
            <Group gap="xs">
              <Button h={40} variant="default" onClick={onDiscard}>
                {t('preview.discard')}
              </Button>
              <Button h={40} onClick={onEdit}>
                {t('preview.continueEditing')}
              </Button>
            </Group>
          </Group>
        </Alert>
      )}
      {(hasChoice || data.form.isGuess || (isEditable && draft === undefined)) && (
        <Group className={textClasses.bar}>
          {hasChoice ? (
            <SegmentedControl
              size="xs"
              aria-label={t('preview.form')}
              value={isSource ? 'source' : 'rendered'}
              onChange={(value) => setSource(value === 'source')}
              data={[
                { value: 'rendered', label: t(kind === 'table' ? 'preview.asTable' : 'preview.asText') },
                { value: 'source', label: t('preview.asSource') },
              ]}
            />
          ) : (
            <span />
          )}
          {data.form.isGuess && (
            <EncodingSelect encoding={encoding} detected={data.form.encoding} onChange={onEncoding} />
          )}
          {isEditable && draft === undefined && (
            <Button
              size="compact-sm"
              mih={32}
              variant="default"
              leftSection={<IconPencil size={16} aria-hidden />}
              loading={isTagAwaited}
              onClick={onEdit}
            >
              {t('preview.edit')}
            </Button>
          )}
        </Group>
      )}
      {section !== null && query !== '' && (
        <TextMatches key={String(isSource)} root={section} query={query} />
      )}
      <section
        // Other pages need not render again.
        ref={query === '' ? undefined : setSection}
        className={`${classes.text} ${classes.printed}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll only what it can focus
        tabIndex={0}
        aria-label={entry.filename}
      >
        <TextContent filename={entry.filename} text={data.text} kind={isSource ? 'plain' : kind} />
      </section>
    </>
  );
}

function isLongTable(text: string): boolean {
  return (text.match(/\n|\r(?!\n)/g)?.length ?? 0) > MAX_ROWS;
}
