import { Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { IconListTree, IconRotateClockwise, IconSearch, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../messages/formats.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { MAX_PAGES, type Viewer } from './make-viewer.ts';
import classes from './pdf.module.css';

const PRESETS = { auto: 'fitAuto', 'page-width': 'fitWidth', 'page-fit': 'fit' } as const;
const SCALES = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
const PERCENT = 100;
const QUARTER = 90;
const BUTTON = { size: 36, variant: 'subtle', color: 'gray' } as const;

interface PdfBarProps {
  /** Undefined while the viewer is being made. */
  readonly viewer: Viewer | undefined;
  readonly page: number;
  readonly pageCount: number;
  readonly zoom: { readonly scale: number; readonly preset: string | undefined } | undefined;
  readonly isFinding: boolean;
  readonly hasOutline: boolean;
  readonly onSearch: () => void;
  /** Undefined if the PDF has no outline. */
  readonly onOutline: (() => void) | undefined;
}

/** The tools above the pages. */
export function PdfBar(props: PdfBarProps) {
  const { viewer, page, pageCount, zoom, isFinding, hasOutline, onSearch, onOutline } = props;
  const { t } = useTranslation();
  const turn = () => {
    if (viewer !== undefined) viewer.pages.pagesRotation += QUARTER;
  };
  return (
    <Group gap={4} justify="center" className={classes.bar}>
      {onOutline !== undefined && (
        <IconButton {...BUTTON} label={t('preview.outline')} aria-expanded={hasOutline} onClick={onOutline}>
          <IconListTree size={20} aria-hidden />
        </IconButton>
      )}
      <PageField
        {...{ page, pageCount }}
        onPage={(at) => {
          if (viewer !== undefined) viewer.pages.currentPageNumber = at;
        }}
      />
      <Zoom viewer={viewer} zoom={zoom} />
      <IconButton {...BUTTON} label={t('preview.turn')} onClick={turn}>
        <IconRotateClockwise size={20} aria-hidden />
      </IconButton>
      <IconButton {...BUTTON} label={t('preview.findInPdf')} aria-expanded={isFinding} onClick={onSearch}>
        <IconSearch size={20} aria-hidden />
      </IconButton>
      {pageCount === MAX_PAGES && (
        <Text size="sm">{t('preview.firstPages', { number: formatNumber(MAX_PAGES) })}</Text>
      )}
    </Group>
  );
}

interface PageFieldProps extends Pick<PdfBarProps, 'page' | 'pageCount'> {
  readonly onPage: (page: number) => void;
}

function PageField({ page, pageCount, onPage }: PageFieldProps) {
  const { t } = useTranslation();
  /** What the user has typed. Undefined shows the current page. */
  const [text, setText] = useState<string>();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = Number(text);
    if (Number.isInteger(wanted) && wanted >= 1) onPage(Math.min(wanted, pageCount));
    setText(undefined);
  };
  return (
    <form onSubmit={onSubmit} className={classes.place}>
      <TextInput
        size="xs"
        aria-label={t('preview.pageNumber')}
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        classNames={{ input: classes.number }}
        value={text ?? String(page)}
        onChange={(event) => setText(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={() => setText(undefined)}
      />
      <Text size="sm" className={classes.count}>
        {t('preview.ofPages', { all: formatNumber(pageCount) })}
      </Text>
    </form>
  );
}

function Zoom({ viewer, zoom }: Pick<PdfBarProps, 'viewer' | 'zoom'>) {
  const { t } = useTranslation();
  const { scale = 1, preset } = zoom ?? {};
  const percentOf = (value: number) =>
    t('preview.percent', { percent: formatNumber(Math.round(value * PERCENT)) });
  const scales = SCALES.includes(scale) ? SCALES : [...SCALES, scale].sort((one, other) => one - other);
  return (
    <>
      <IconButton
        {...BUTTON}
        className={classes.step}
        label={t('preview.zoomOut')}
        onClick={() => viewer?.pages.decreaseScale()}
      >
        <IconZoomOut size={20} aria-hidden />
      </IconButton>
      <NativeSelect
        size="xs"
        className={classes.zoom}
        aria-label={t('preview.zoom')}
        value={preset ?? String(scale)}
        data={[
          ...Object.entries(PRESETS).map(([value, key]) => ({ value, label: t(`preview.${key}`) })),
          ...scales.map((value) => ({ value: String(value), label: percentOf(value) })),
        ]}
        onChange={(event) => {
          if (viewer !== undefined) viewer.pages.currentScaleValue = event.currentTarget.value;
        }}
      />
      <IconButton
        {...BUTTON}
        className={classes.step}
        label={t('preview.zoomIn')}
        onClick={() => viewer?.pages.increaseScale()}
      >
        <IconZoomIn size={20} aria-hidden />
      </IconButton>
    </>
  );
}
