import { UnstyledButton } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../api/contract.ts';
import { EntryPicture } from '../entries/grid/entry-picture.tsx';
import classes from './filmstrip.module.css';

/** How many files are shown before and after the current one. */
const AROUND = 20;
const ICON_PX = 28;

interface FilmstripProps {
  readonly entries: readonly EntryRecord[];
  /** The index of the shown file. */
  readonly at: number;
  readonly onMove: (at: number) => void;
}

/** The thumbnails of the neighbours of a file, to move to one of them. */
export function Filmstrip({ entries, at, onMove }: FilmstripProps) {
  const { t } = useTranslation();
  const current = useRef<HTMLButtonElement>(null);
  const id = entries[at]?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file is the current one
  useEffect(() => {
    current.current?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [id]);
  const first = Math.max(0, at - AROUND);
  return (
    <nav className={classes.strip} aria-label={t('preview.filmstrip')}>
      {entries.slice(first, at + AROUND + 1).map((entry, index) => {
        const isCurrent = first + index === at;
        return (
          <UnstyledButton
            key={entry.id}
            ref={isCurrent ? current : undefined}
            className={classes.file}
            aria-label={entry.filename}
            aria-current={isCurrent || undefined}
            title={entry.filename}
            onClick={() => onMove(first + index)}
          >
            <EntryPicture entry={entry} iconSize={ICON_PX} />
          </UnstyledButton>
        );
      })}
    </nav>
  );
}
