import classes from './preview.module.css';

/** Whether an element is in a dialog that was opened from the viewer, such as a confirmation. */
export function isInDialogAbove(target: EventTarget | null): boolean {
  const dialog = target instanceof Element ? target.closest('[role="dialog"], [role="alertdialog"]') : null;
  return dialog !== null && dialog.querySelector(`.${classes.viewer}`) === null;
}
