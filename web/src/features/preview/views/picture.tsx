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
  /** Shown where it turns out to be none, or none that the browser knows. */
  readonly instead: ReactNode;
  readonly onZoom: (isZoomed: boolean) => void;
}

const PERCENT = 100;

/** A picture, which can be made larger and moved about. As an image it runs nothing, whatever is in it. */
export function Picture({ entry, instead, onZoom }: PictureProps) {
  const { t } = useTranslation();
  const { url, round, error, renew } = useAddress(entry);
  const [outcome, setOutcome] = useState<'loading' | 'shown' | 'failed'>('loading');
  const { lie, isMoving, stage, picture, handlers, zoomIn, zoomOut, fit } = useZoom(onZoom);
  if (outcome === 'failed' || error !== undefined) return instead;
  return (
    // What fingers and the wheel do here, the buttons below and + and - do as well.
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
