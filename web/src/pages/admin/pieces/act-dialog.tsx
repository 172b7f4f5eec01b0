import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { notify } from '../../../ui/notifications/notify.ts';
import { useAct } from './use-act.ts';

interface ActDialogProps {
  readonly title: string;
  readonly text: string;
  /** The label of the button. */
  readonly action: string;
  readonly act: () => Promise<unknown>;
  /** The text of the notification afterwards. */
  readonly done: string;
  readonly onDone?: () => void;
  /** For a dialog above a drawer. */
  readonly zIndex?: number;
  readonly onClose: () => void;
}

/** Asks before an action that cannot be undone, and performs it. */
export function ActDialog({ act, done, onDone, onClose, ...question }: ActDialogProps) {
  const request = useAct(act, () => {
    onClose();
    notify(done);
    onDone?.();
  });
  return (
    <ConfirmDialog
      {...question}
      isPending={request.isPending}
      onConfirm={() => request.mutate()}
      onClose={onClose}
    />
  );
}
