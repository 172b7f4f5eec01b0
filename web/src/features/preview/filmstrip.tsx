import { UnstyledButton } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { EntryPicture } from '../entries/grid/entry-picture.tsx';
import classes from './filmstrip.module.css';
import type { ShownFiles } from './shown-files.ts';

const ICON_PX = 28;

interface FilmstripProps {
  readonly files: ShownFiles;
  readonly onShow: (entry: EntryRecord) => void;
}

/** The thumbnails of a file and its neighbours, to move to one of them. */
export function Filmstrip({ files: { entry: shown, before, after }, onShow }: FilmstripProps) {
  const { t } = useTranslation();
  const current = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when another file is shown
  useEffect(() => {
    current.current?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [shown.id]);
  return (
    <nav className={classes.strip} aria-label={t('preview.filmstrip')}>
      {[...before, shown, ...after].map((entry) => {
        const isCurrent = entry.id === shown.id;
        return (
          <UnstyledButton
            key={entry.id}
            ref={isCurrent ? current : undefined}
            className={classes.file}
            aria-label={entry.filename}
            aria-current={isCurrent || undefined}
            title={entry.filename}
            onClick={() => onShow(entry)}
          >
            <EntryPicture entry={entry} iconSize={ICON_PX} />
          </UnstyledButton>
        );
      })}
    </nav>
  );
}
