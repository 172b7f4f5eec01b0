import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { DetailsAside } from '../details/details-aside.tsx';
import { EntryDetails } from '../details/entry-details.tsx';
import { isInDialogAbove } from './dialog-above.ts';
import classes from './preview.module.css';

/** Details are requested only when a file is shown this long, not while the user pages quickly. */
const DWELL_MS = 150;

interface PreviewDetailsProps {
  readonly entry: EntryRecord;
  /** Whether no dialog of the viewer is open. */
  readonly isFront: boolean;
  /** @param hadFocus whether the focus is lost when the panel closes */
  readonly onClose: (hadFocus: boolean) => void;
}

/** A panel with the details of the shown file. Escape closes first the panel, then the viewer. */
export function PreviewDetails({ entry, isFront, onClose }: PreviewDetailsProps) {
  const [shown] = useDebouncedValue(entry, DWELL_MS);
  const panel = useRef<HTMLDivElement>(null);
  const close = () => onClose(panel.current?.contains(document.activeElement) === true);
  useEscape(close, isFront);
  return (
    <div ref={panel} className={classes.details}>
      <DetailsAside onClose={close}>
        <EntryDetails entry={shown} isBesideFile />
      </DetailsAside>
    </div>
  );
}

function useEscape(onEscape: () => void, isOn: boolean): void {
  const act = useEffectEvent(onEscape);
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.isComposing && !isInDialogAbove(event.target)) act();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isOn]);
}
