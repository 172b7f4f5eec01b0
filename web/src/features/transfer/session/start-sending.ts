import { tellError } from '../../../ui/tell.ts';
import { type ChosenFile, sortChosen } from './chosen-files.ts';
import { setCurrent } from './current.ts';
import { Sending } from './sending.ts';

/** @param isStored whether the service stores the files for the receiver from the start */
export function startSending(chosen: readonly ChosenFile[], isStored: boolean): void {
  const sending = new Sending(sortChosen(chosen));
  setCurrent({ sending });
  if (!isStored) void sending.start();
  else {
    sending.keep().catch((error: unknown) => {
      setCurrent({ sending: undefined });
      tellError(error);
    });
  }
}
