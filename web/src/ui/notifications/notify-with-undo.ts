import { notifications } from '@mantine/notifications';
import { messages } from '../../messages/i18n.ts';
import { type NextStep, notifyWithAction } from './notify-with-action.tsx';
import { closeWithPage } from './page-notices.ts';
import { clearUndo, setUndo } from './undo.ts';

/**
 * Shows a success notification with a button that undoes the change. Ctrl+Z does the same, on any page.
 * @param next another button, for a likely next step
 */
export function notifyWithUndo(message: string, onUndo: () => void, next?: NextStep): void {
  const undo = () => {
    clearUndo(undo);
    notifications.hide(id);
    onUndo();
  };
  const id = notifyWithAction(message, messages.t('drive.undo'), undo, { next });
  closeWithPage(id);
  setUndo(undo);
}
