import { notifications } from '@mantine/notifications';
import { messages } from '../messages/i18n.ts';
import { tellWithAction } from './tell-with-action.tsx';
import { clearUndo, setUndo } from './undo.ts';

/** Shows a success notification with a button that undoes the change. Ctrl+Z does the same. */
export function tellWithUndo(message: string, onUndo: () => void): void {
  const undo = () => {
    clearUndo(undo);
    notifications.hide(id);
    onUndo();
  };
  const id = tellWithAction(message, messages.t('drive.undo'), undo);
  setUndo(undo);
}
