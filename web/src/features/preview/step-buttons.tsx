import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import classes from './preview.module.css';

interface StepButtonsProps {
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  /** @param step -1 or 1 */
  readonly onMove: (step: number) => void;
}

/** Buttons at the edges of the page that lead to the previous and next file. */
export function StepButtons({ hasPrevious, hasNext, onMove }: StepButtonsProps) {
  const { t } = useTranslation();
  const look = { size: 48, radius: 'xl' } as const;
  return (
    <>
      {hasPrevious && (
        <IconButton
          {...look}
          className={`${classes.button} ${classes.previous}`}
          label={t('preview.previous')}
          onClick={() => onMove(-1)}
        >
          <IconChevronLeft aria-hidden />
        </IconButton>
      )}
      {hasNext && (
        <IconButton
          {...look}
          className={`${classes.button} ${classes.next}`}
          label={t('preview.next')}
          onClick={() => onMove(1)}
        >
          <IconChevronRight aria-hidden />
        </IconButton>
      )}
    </>
  );
}
