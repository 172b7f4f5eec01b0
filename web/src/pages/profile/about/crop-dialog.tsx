import { Button, Group, Slider, Stack, Text } from '@mantine/core';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { type Crop, clampToPicture, drag, LARGEST_SQUARE, MAX_ZOOM, squareOf } from './crop.ts';
import styles from './crop-dialog.module.css';

const SIDE = 512;
const QUALITY = 0.9;
/** How far an arrow key moves the picture, as a fraction of the square's side. */
const STEP = 0.05;

const BY_KEY: Partial<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
};

interface CropDialogProps {
  readonly picture: ImageBitmap;
  readonly isPending: boolean;
  readonly onCrop: (picture: Blob) => void;
  readonly onClose: () => void;
}

/** Lets the user choose a square part of a picture as the avatar. */
export function CropDialog({ picture, isPending, onCrop, onClose }: CropDialogProps) {
  const { t } = useTranslation();
  const [crop, setCrop] = useState(LARGEST_SQUARE);
  // A state instead of a ref, because a dialog renders its content slightly later.
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  useEffect(() => {
    if (canvas !== null) draw(canvas, picture, crop);
  }, [canvas, picture, crop]);
  const move = (by: { x: number; y: number }) => setCrop((before) => drag(before, by, picture));
  const take = () => {
    canvas?.toBlob((blob) => blob !== null && onCrop(blob), 'image/jpeg', QUALITY);
  };
  return (
    <Dialog onClose={onClose} title={t('profile.cropTitle')} closeSize={40}>
      <Stack>
        <CropFrame onCanvas={setCanvas} onMove={move} />
        <Text size="sm" c="dimmed" ta="center">
          {t('profile.cropHint')}
        </Text>
        <Slider
          min={1}
          max={MAX_ZOOM}
          step={0.05}
          label={null}
          size="lg"
          thumbSize={24}
          value={crop.zoom}
          thumbLabel={t('profile.zoom')}
          onChange={(zoom) => setCrop((before) => clampToPicture({ ...before, zoom }, picture))}
        />
        <Group justify="flex-end">
          <Button variant="default" mih="var(--tap-size)" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button mih="var(--tap-size)" loading={isPending} onClick={take}>
            {t('profile.usePicture')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

interface CropFrameProps {
  readonly onCanvas: (canvas: HTMLCanvasElement | null) => void;
  /** @param by the distance as fractions of the frame's side */
  readonly onMove: (by: { x: number; y: number }) => void;
}

/** The visible square of the picture, moved by pointer and arrow keys. */
function CropFrame({ onCanvas, onMove }: CropFrameProps) {
  const { t } = useTranslation();
  const held = useRef<{ x: number; y: number }>(null);
  const moveByPointer = ({ clientX: x, clientY: y, currentTarget }: PointerEvent) => {
    if (held.current === null) return;
    const { x: lastX, y: lastY } = held.current;
    held.current = { x, y };
    onMove({ x: (x - lastX) / currentTarget.clientWidth, y: (y - lastY) / currentTarget.clientHeight });
  };
  const moveByKey = (event: KeyboardEvent) => {
    const by = BY_KEY[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onMove(by);
  };
  return (
    <div
      className={styles.frame}
      role="application"
      aria-label={t('profile.cropPlace')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the picture
      tabIndex={0}
      onKeyDown={moveByKey}
      data-autofocus
    >
      <canvas
        ref={onCanvas}
        width={SIDE}
        height={SIDE}
        className={styles.canvas}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          held.current = { x: event.clientX, y: event.clientY };
        }}
        onPointerMove={moveByPointer}
        onPointerUp={() => {
          held.current = null;
        }}
        onPointerCancel={() => {
          held.current = null;
        }}
      />
    </div>
  );
}

function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const { left, top, side } = squareOf(crop, picture);
  // Transparent areas become white, because the avatar is a JPEG.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, SIDE, SIDE);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, left, top, side, side, 0, 0, SIDE, SIDE);
}
