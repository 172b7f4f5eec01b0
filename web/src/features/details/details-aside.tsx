import { CloseButton, Group, Title } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { labelled } from '../../ui/labelled.ts';
import classes from './details.module.css';

interface DetailsAsideProps {
  readonly children: ReactNode;
  readonly onClose: () => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

/** A panel beside a list or a file: it has a heading, scrolls, and is not modal. */
export function DetailsAside({ children, onClose, onKeyDown }: DetailsAsideProps) {
  const { t } = useTranslation();
  const titleId = useId();
  return (
    <aside className={classes.dock} aria-labelledby={titleId} onKeyDown={onKeyDown}>
      <Group justify="space-between" wrap="nowrap" className={classes.dockHead}>
        <Title order={2} size="h5" id={titleId}>
          {t('details.title')}
        </Title>
        <CloseButton size={40} {...labelled(t('details.close'))} onClick={onClose} />
      </Group>
      {/* It scrolls, so it must be focusable for the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls */}
      <section className={classes.dockBody} tabIndex={0} aria-labelledby={titleId}>
        {children}
      </section>
    </aside>
  );
}
