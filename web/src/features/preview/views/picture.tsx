import { ActionIcon, Group, Loader, Text, VisuallyHidden } from '@mantine/core';
import { IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../api/contract.ts';
import { formatNumber } from '../../../messages/formats.ts';
import classes from '../preview.module.css';
import { useAddress } from '../use-address.ts';
import { useZoom } from './use-zoom.ts';

interface PictureProps {
  readonly entry: EntryRecord;
  /** Shown if it is not a picture, or not one that the browser supports. */
  readonly instead: ReactNode;
  readonly onZoom: (isZoomed: boolean) => void;
}

const PERCENT = 100;

/** A picture that can be zoomed and moved. As an image element it runs no script, whatever it contains. */
export function Picture({ entry, instead, onZoom }: PictureProps) {
  const { t } = useTranslation();
  const { url, round, error, renew } = useAddress(entry);
  const [outcome, setOutcome] = useState<'loading' | 'shown' | 'failed'>('loading');
  const { lie, isMoving, stage, picture, handlers, zoomIn, zoomOut, fit } = useZoom(onZoom);
  if (outcome === 'failed' || error !== undefined) return instead;
  return (
    // Everything that fingers and wheel do is also possible with the buttons and with + and -.
    <div ref={stage} className={classes.stage} data-zoomed={lie.scale > 1 || undefined} {...handlers}>
      {outcome === 'loading' && (
        <Loader color="gray" className={classes.loader} aria-label={t('preview.loading')} />
      )}
      {url !== undefined && (
        <img
          key={round}
          ref={picture}
          className={classes.picture}
          src={url}
          alt={entry.filename}
          draggable={false}
          data-moving={isMoving || undefined}
          style={{ transform: `translate(${lie.x}px, ${lie.y}px) scale(${lie.scale})` }}
          onLoad={() => setOutcome('shown')}
          onError={() => {
            if (!renew()) setOutcome('failed');
          }}
        />
      )}
      {outcome === 'shown' && (
        <Group gap={4} className={classes.zoom} onPointerDown={(event) => event.stopPropagation()}>
          <ActionIcon
            className={classes.button}
            size={40}
            aria-label={t('preview.zoomOut')}
            disabled={lie.scale <= 1}
            onClick={zoomOut}
          >
            <IconZoomOut size={20} aria-hidden />
          </ActionIcon>
          <ActionIcon className={classes.button} h={40} w={64} onClick={fit}>
            <Text size="sm">
              {t('preview.percent', { percent: formatNumber(Math.round(lie.scale * PERCENT)) })}
            </Text>
            <VisuallyHidden>{t('preview.fit')}</VisuallyHidden>
          </ActionIcon>
          <ActionIcon className={classes.button} size={40} aria-label={t('preview.zoomIn')} onClick={zoomIn}>
            <IconZoomIn size={20} aria-hidden />
          </ActionIcon>
        </Group>
      )}
    </div>
  );
}
