import { Modal, type ModalRootProps } from '@mantine/core';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useReturnedFocus } from './use-returned-focus.ts';

/**
 * A dialog over the whole page, for a file. It is open as long as it is rendered. Afterwards, the focus
 * returns to where it was.
 */
export function ViewerDialog({ children, closeOnEscape = true, ...props }: Omit<ModalRootProps, 'opened'>) {
  useReturnedFocus();
  const content = useRef<HTMLDivElement>(null);
  useEscape((event) => {
    const { target } = event;
    // A menu or field that handles the key itself.
    const isHandled = target instanceof Element && target.matches('[data-mantine-stop-propagation="true"]');
    if (closeOnEscape && !isHandled && !isBelowDialog(content.current)) props.onClose();
  });
  return (
    <Modal.Root
      opened
      fullScreen
      padding={0}
      transitionProps={{ duration: 120 }}
      closeOnEscape={false}
      {...props}
    >
      <Modal.Content ref={content} radius={0} data-has-address>
        {children}
      </Modal.Content>
    </Modal.Root>
  );
}

/** Listens before any dialog above, which may close at the same event. */
function useEscape(onEscape: (event: KeyboardEvent) => void): void {
  const act = useEffectEvent(onEscape);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.isComposing) act(event);
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, []);
}

/** Whether another dialog was opened after this one. Later dialogs come later in the document. */
function isBelowDialog(content: Element | null): boolean {
  const dialogs = document.querySelectorAll('[role="dialog"][aria-modal="true"], [role="alertdialog"]');
  const isAbove = (dialog: Element) =>
    content !== null &&
    (content.compareDocumentPosition(dialog) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 &&
    !content.contains(dialog);
  return [...dialogs].some(isAbove);
}
