import { Popover } from '@mantine/core';
import { cloneElement, type ReactElement, type Ref, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../ui/dialogs/panel.tsx';
import { useHasNavigation } from '../../ui/screen-size.ts';
import { NotificationList } from './notification-list.tsx';
import classes from './notifications.module.css';

interface PanelProps {
  /** The bell. */
  readonly target: ReactElement<{
    ref?: Ref<HTMLButtonElement>;
    onClick?: () => void;
    'aria-expanded'?: boolean;
  }>;
}

/** The notifications below the bell, open from the start. On a phone, they fill the screen. */
export function NotificationPanel({ target }: PanelProps) {
  const { t } = useTranslation();
  const isBesideNavigation = useHasNavigation();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // This button has replaced the one that was pressed, so it takes the focus.
    button.current?.focus();
    setOpen(true);
  }, []);
  const close = () => setOpen(false);
  const opener = cloneElement(target, {
    ref: button,
    onClick: () => setOpen((before) => !before),
    'aria-expanded': isOpen,
  });
  if (!isBesideNavigation) {
    return (
      <>
        {opener}
        {isOpen && (
          <Panel onClose={close} position="right" size="100%" title={t('notifications.title')}>
            <NotificationList onLeave={close} />
          </Panel>
        )}
      </>
    );
  }
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={420}
      shadow="md"
      trapFocus
      returnFocus
      // It would be named after the bell, which counts.
      withRoles={false}
    >
      <Popover.Target>{opener}</Popover.Target>
      <Popover.Dropdown role="dialog" className={classes.panel} aria-label={t('notifications.title')}>
        <NotificationList hasTitle onLeave={close} />
      </Popover.Dropdown>
    </Popover>
  );
}
