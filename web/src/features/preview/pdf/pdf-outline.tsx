import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Destination } from './make-viewer.ts';
import classes from './pdf.module.css';

/** A damaged outline can be endless. */
const MAX_ITEMS = 2_000;
const MAX_DEPTH = 6;

export interface OutlineItem {
  readonly id: number;
  readonly title: string;
  /** From 0. */
  readonly depth: number;
  readonly dest: Destination;
}

/** The chapters of a PDF in reading order; empty if it has none. */
export function useOutline(pdf: PDFDocumentProxy): readonly OutlineItem[] {
  const [items, setItems] = useState<readonly OutlineItem[]>([]);
  useEffect(() => {
    let isWanted = true;
    const read = async () => {
      const tree: readonly OutlineNode[] | null = await pdf.getOutline();
      if (isWanted) setItems(flatten(tree ?? []));
    };
    // A PDF with a damaged outline is shown without it.
    read().catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [pdf]);
  return items;
}

interface OutlineNode {
  readonly title: string;
  readonly dest: string | readonly unknown[] | null;
  readonly items: readonly OutlineNode[];
}

function flatten(tree: readonly OutlineNode[]): readonly OutlineItem[] {
  const found: OutlineItem[] = [];
  const add = (nodes: readonly OutlineNode[], depth: number) => {
    for (const { title, dest, items } of nodes) {
      if (found.length === MAX_ITEMS) return;
      if (dest !== null) found.push({ id: found.length, title, dest, depth });
      if (depth < MAX_DEPTH) add(items, depth + 1);
    }
  };
  add(tree, 0);
  return found;
}

interface PdfOutlineProps {
  readonly items: readonly OutlineItem[];
  readonly onChoose: (item: OutlineItem) => void;
}

export function PdfOutline({ items, onChoose }: PdfOutlineProps) {
  const { t } = useTranslation();
  return (
    <nav className={classes.outline} aria-label={t('preview.outline')}>
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            <button
              type="button"
              style={{ paddingInlineStart: 12 + 16 * item.depth }}
              onClick={() => onChoose(item)}
            >
              {item.title}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
