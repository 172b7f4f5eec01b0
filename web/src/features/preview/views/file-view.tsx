import type { EntryRecord } from '../../../api/contract.ts';
import { NoView } from './no-view.tsx';
import { PdfView } from './pdf-view.tsx';
import { Picture } from './picture.tsx';
import { Player } from './player.tsx';
import { TextView } from './text-view.tsx';
import { wayToShow } from './way-to-show.ts';

export interface FileViewProps {
  readonly entry: EntryRecord;
  /** Told when a picture is larger than it fits, and when it is not any more. */
  readonly onZoom: (isZoomed: boolean) => void;
  readonly onSave: () => void;
}

/** A file as what it is, as far as a browser can show it without running anything of it. */
export function FileView({ entry, onZoom, onSave }: FileViewProps) {
  const way = wayToShow(entry);
  const instead = <NoView entry={entry} onSave={onSave} />;
  switch (way) {
    case 'picture':
      return <Picture entry={entry} instead={instead} onZoom={onZoom} />;
    case 'video':
    case 'audio':
      return <Player entry={entry} instead={instead} isVideo={way === 'video'} />;
    case 'text':
      return <TextView entry={entry} instead={instead} onSave={onSave} />;
    case 'pdf':
      return <PdfView entry={entry} instead={instead} />;
    case 'none':
      return instead;
  }
}
