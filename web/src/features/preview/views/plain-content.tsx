import { Group, Loader, Text } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { faultKeyOf } from '../../../common/document-frame.ts';
import { lazyPart } from '../../../common/timing/lazy-part.ts';
import type { PdfFault } from '../pdf/use-pdf.ts';
import { EncodingSelect } from '../text/encoding-select.tsx';
import { TextContent } from '../text/text-content.tsx';
import { textKindOf } from '../text/text-kind.ts';
import { useText } from '../text/use-text.ts';
import { PdfContent } from './pdf-view.tsx';
import { needsRendition, toPreviewKind } from './preview-kind.ts';

const DocumentContent = lazyPart(async () => (await import('./document-view.tsx')).DocumentContent);

/** The classes of each kind of content: a card has less room than a page. */
type Styles = Readonly<Partial<Record<'picture' | 'video' | 'audio' | 'pdf' | 'text', string | undefined>>>;

interface PlainContentProps {
  /** The URL of the file. It needs no token. */
  readonly address: string;
  readonly queryKey: readonly string[];
  readonly file: Pick<EntryRecord, 'filename' | 'contentType' | 'directory' | 'size'> &
    Partial<Pick<EntryRecord, 'thumbnailVersion'>>;
  /** The URL of a picture of the file, shown if the browser cannot show the file itself. */
  readonly rendition?: string | undefined;
  /** Whether the visitor has requested the content. Then a player starts immediately. */
  readonly isAsked: boolean;
  readonly styles: Styles;
  /**
   * Renders the replacement for content that cannot be shown. By default, a text: the page has a download
   * button.
   */
  readonly fallback?: (reason: PlainReason) => ReactNode;
}

/** Why content is not shown. The values are message keys. */
type PlainReason = PdfFault | 'cannotShow' | 'tooLarge' | 'protectedBook';

/** The content of a file that someone else shares, without any tools. */
export function PlainContent(props: PlainContentProps) {
  const { address, rendition, queryKey, file, isAsked, styles } = props;
  const { t } = useTranslation();
  const fallback = useFallback(props);
  const instead = fallback('cannotShow');
  const [hasFailed, setFailed] = useState(false);
  const { thumbnailVersion = null } = file;
  const [isRendered, setRendered] = useState(needsRendition({ ...file, thumbnailVersion }));
  const onError = () => setFailed(true);
  const player = {
    src: address,
    controls: true,
    preload: 'none',
    autoPlay: isAsked,
    'aria-label': file.filename,
    onError,
  } as const;
  if (hasFailed) return instead;
  const kind = toPreviewKind(file);
  switch (kind) {
    case 'picture':
      return (
        <img
          className={styles.picture}
          src={isRendered && rendition !== undefined ? rendition : address}
          alt={file.filename}
          onError={isRendered || rendition === undefined ? onError : () => setRendered(true)}
        />
      );
    case 'video':
      return <video {...player} className={styles.video} playsInline />;
    case 'audio':
      return <audio {...player} className={styles.audio} />;
    case 'pdf':
      return (
        <div className={styles.pdf}>
          <PdfContent address={address} file={file} fallback={fallback} />
        </div>
      );
    case 'text':
      return <PlainText {...props} />;
    case 'zip':
    case 'none':
      return instead;
    default:
      return (
        <div className={styles.pdf}>
          <Suspense fallback={<Loader color="gray" m="auto" aria-label={t('preview.loading')} />}>
            <DocumentContent
              format={kind}
              address={address}
              queryKey={[...queryKey, kind]}
              title={file.filename}
              size={file.size}
              fallback={(fault) => fallback(faultKeyOf(fault))}
            />
          </Suspense>
        </div>
      );
  }
}

function useFallback({ fallback }: PlainContentProps): (reason: PlainReason) => ReactNode {
  const { t } = useTranslation();
  if (fallback !== undefined) return fallback;
  return (reason) => (reason === 'cannotShow' ? null : <Text ta="center">{t(`preview.${reason}`)}</Text>);
}

function PlainText(props: PlainContentProps) {
  const { address, queryKey, file, styles } = props;
  const { t } = useTranslation();
  const fallback = useFallback(props);
  const { query, encoding, setEncoding } = useText({
    fileKey: queryKey,
    address,
    size: file.size,
    retry: false,
  });
  const { data, isPending } = query;
  if (isPending) return <Loader color="gray" m="auto" aria-label={t('preview.loading')} />;
  // A file that is not text, or could not be read, can still be downloaded.
  if (data === undefined || data === null) return fallback('cannotShow');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll only what it can focus
    <section className={styles.text} tabIndex={0} aria-label={file.filename}>
      {data.form.isGuess && (
        <Group justify="flex-end" mb="xs">
          <EncodingSelect encoding={encoding} detected={data.form.encoding} onChange={setEncoding} />
        </Group>
      )}
      <TextContent filename={file.filename} text={data.text} kind={textKindOf(file)} />
    </section>
  );
}
