import { Text } from '@mantine/core';
import {
  type PDFDocumentProxy,
  type PDFPageProxy,
  type RenderTask,
  TextLayer,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../messages/formats.ts';
import classes from './pdf.module.css';

const MAX_PIXEL_RATIO = 2;
/** Limits the memory of each drawn page to 24 MB. */
const MAX_PIXELS = 6_000_000;
/** Mobile browsers draw nothing on larger canvases. */
const MAX_SIDE = 8_192;

interface PdfPageProps {
  readonly pdf: PDFDocumentProxy;
  readonly number: number;
  /** In CSS pixels. */
  readonly width: number;
  /** The expected ratio of height to width, used until the page is loaded. */
  readonly ratio: number;
  /** Whether the page is drawn. Other pages only take up space. */
  readonly isNear: boolean;
}

export function PdfPage({ pdf, number, width, ratio, isNear }: PdfPageProps) {
  const { t } = useTranslation();
  const [ownRatio, setOwnRatio] = useState(ratio);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would announce form fields
    <div
      role="group"
      aria-label={t('preview.pdfPage', { at: formatNumber(number) })}
      className={classes.page}
      style={{ width, height: Math.round(width * ownRatio) }}
    >
      {isNear && <DrawnPage key={width} {...{ pdf, number, width }} onRatio={setOwnRatio} />}
    </div>
  );
}

interface DrawnPageProps extends Pick<PdfPageProps, 'pdf' | 'number' | 'width'> {
  readonly onRatio: (ratio: number) => void;
}

/** The picture of the page, covered by its invisible text for selection and screen readers. */
function DrawnPage({ pdf, number, width, onRatio }: DrawnPageProps) {
  const { t } = useTranslation();
  const picture = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    const [canvas, layer] = [picture.current, text.current];
    if (canvas === null || layer === null) return;
    const drawing = new Drawing(canvas, layer);
    drawing.draw(pdf, { number, width, onRatio }).catch(() => {
      if (!drawing.hasEnded) setFailed(true);
    });
    return () => drawing.end();
  }, [pdf, number, width, onRatio]);
  return (
    <>
      <canvas ref={picture} className={classes.canvas} aria-hidden />
      <div ref={text} className={classes.textLayer} />
      {hasFailed && (
        <Text className={classes.fault} data-unsearched>
          {t('preview.brokenPage')}
        </Text>
      )}
    </>
  );
}

class Drawing {
  hasEnded = false;
  readonly #canvas: HTMLCanvasElement;
  readonly #layer: HTMLDivElement;
  #page: PDFPageProxy | undefined;
  #task: RenderTask | undefined;
  #text: TextLayer | undefined;

  constructor(canvas: HTMLCanvasElement, layer: HTMLDivElement) {
    this.#canvas = canvas;
    this.#layer = layer;
  }

  async draw(
    pdf: PDFDocumentProxy,
    { number, width, onRatio }: Pick<DrawnPageProps, 'number' | 'width' | 'onRatio'>,
  ): Promise<void> {
    const page = await pdf.getPage(number);
    if (this.hasEnded) return;
    this.#page = page;
    const natural = page.getViewport({ scale: 1 });
    onRatio(natural.height / natural.width);
    const viewport = page.getViewport({ scale: width / natural.width });
    const density = Math.min(
      ...[window.devicePixelRatio, MAX_PIXEL_RATIO],
      Math.sqrt(MAX_PIXELS / (viewport.width * viewport.height)),
      MAX_SIDE / Math.max(viewport.width, viewport.height),
    );
    const canvas = this.#canvas;
    canvas.width = Math.max(1, Math.floor(viewport.width * density));
    canvas.height = Math.max(1, Math.floor(viewport.height * density));
    this.#task = page.render({ canvas, viewport, transform: [density, 0, 0, density, 0, 0] });
    await this.#task.promise;
    if (this.hasEnded) return;
    this.#layer.style.setProperty('--total-scale-factor', String(viewport.scale));
    const textContentSource = page.streamTextContent();
    this.#text = new TextLayer({ textContentSource, container: this.#layer, viewport });
    await this.#text.render();
    canvas.dataset.drawn = '';
  }

  /** Frees the memory immediately: browsers keep canvases long after they were removed from the page. */
  end(): void {
    this.hasEnded = true;
    this.#task?.cancel();
    this.#text?.cancel();
    this.#page?.cleanup();
    this.#canvas.width = 0;
    this.#canvas.height = 0;
  }
}
