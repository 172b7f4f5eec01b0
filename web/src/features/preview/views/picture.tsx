import { Group, Loader, Text } from '@mantine/core';
import {
  IconMaximize,
  IconRotateClockwise,
  IconZoomIn,
  IconZoomOut,
  IconZoomScan,
  type TablerIcon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { formatNumber } from '../../../messages/formats.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { useObjectUrl } from '../../../ui/use-object-url.ts';
import { renditionQuery } from '../../entries/thumbnails/use-thumbnail.ts';
import classes from '../preview.module.css';
import { useAddress } from '../use-address.ts';
import { needsRendition } from './preview-kind.ts';
import { useZoom } from './use-zoom.ts';

interface PictureProps {
  readonly entry: EntryRecord;
  /** Shown if the file is not a picture that the browser supports. */
  readonly instead: ReactNode;
  readonly onZoom: (isZoomed: boolean) => void;
}

const PERCENT = 100;

/**
 * A picture that can be zoomed, moved and rotated in the view. The file is not changed. It is shown in an
 * image element, where no script in it can run.
 */
export function Picture(props: PictureProps) {
  const { entry } = props;
  const [isRendered, setRendered] = useState(needsRendition(entry));
  if (isRendered) return <RenderedPicture {...props} />;
  const render = () => setRendered(true);
  return <OriginalPicture {...props} onFailed={entry.thumbnailVersion === null ? undefined : render} />;
}

/** Shows the file itself. */
function OriginalPicture({
  onFailed,
  ...props
}: PictureProps & { readonly onFailed: (() => void) | undefined }) {
  const { url, round, error, renew } = useAddress(props.entry);
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed || error !== undefined) return props.instead;
  const fail = () => {
    if (!renew()) (onFailed ?? (() => setFailed(true)))();
  };
  return <Stage {...props} source={url} round={round} onError={fail} />;
}

/** Shows the picture that the service has made of a file that the browser cannot show. */
function RenderedPicture(props: PictureProps) {
  const { data, isError } = useQuery(renditionQuery(props.entry));
  const address = useObjectUrl(data);
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed || isError || data === null) return props.instead;
  return <Stage {...props} source={address} round={0} onError={() => setFailed(true)} />;
}

interface StageProps extends PictureProps {
  /** The URL of the picture; undefined until it is known. */
  readonly source: string | undefined;
  /** Changes when the same URL must be tried again. */
  readonly round: number;
  readonly onError: () => void;
}

function Stage({ entry, onZoom, source, round, onError }: StageProps) {
  const { t } = useTranslation();
  const [outcome, setOutcome] = useState<'loading' | 'shown'>('loading');
  const zoom = useZoom(onZoom);
  return (
    // Everything that touch and wheel can do is also possible with the buttons and the keys + and -.
    <div
      ref={zoom.stage}
      className={classes.stage}
      data-zoomed={zoom.isZoomed || undefined}
      {...zoom.handlers}
    >
      {outcome === 'loading' && (
        <Loader color="gray" className={classes.loader} aria-label={t('preview.loading')} />
      )}
      {source !== undefined && (
        <img
          key={round}
          ref={zoom.picture}
          className={classes.picture}
          src={source}
          alt={entry.filename}
          draggable={false}
          data-moving={zoom.isMoving || undefined}
          style={{ transform: zoom.transform }}
          onLoad={() => {
            zoom.measure();
            setOutcome('shown');
          }}
          onError={onError}
        />
      )}
      {outcome === 'shown' && (
        <Group gap={4} className={classes.zoom} onPointerDown={(event) => event.stopPropagation()}>
          <Tool
            Icon={IconZoomOut}
            label={t('preview.zoomOut')}
            isOff={!zoom.isZoomed}
            onClick={zoom.zoomOut}
          />
          <Text size="sm" className={classes.percent} role="status" aria-label={t('preview.zoom')}>
            {t('preview.percent', { percent: formatNumber(Math.round(zoom.ratio * PERCENT)) })}
          </Text>
          <Tool Icon={IconZoomIn} label={t('preview.zoomIn')} onClick={zoom.zoomIn} />
          <Tool
            Icon={IconZoomScan}
            label={t('preview.actualSize')}
            isOff={zoom.isActual}
            onClick={zoom.showActual}
          />
          <Tool Icon={IconMaximize} label={t('preview.fit')} isOff={!zoom.isZoomed} onClick={zoom.fit} />
          <Tool Icon={IconRotateClockwise} label={t('preview.turn')} onClick={zoom.turn} />
        </Group>
      )}
    </div>
  );
}

interface ToolProps {
  readonly Icon: TablerIcon;
  readonly label: string;
  readonly isOff?: boolean;
  readonly onClick: () => void;
}

function Tool({ Icon, label, isOff = false, onClick }: ToolProps) {
  return (
    <IconButton className={classes.button} size={40} label={label} disabled={isOff} onClick={onClick}>
      <Icon size={20} aria-hidden />
    </IconButton>
  );
}
