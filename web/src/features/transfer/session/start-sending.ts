import { tellError } from '../../../ui/tell.ts';
import { type ChosenFile, sortChosen } from './chosen-files.ts';
import { setCurrent } from './current.ts';
import { Sending } from './sending.ts';

export interface SendingChoice {
  /** Whether the service stores the files for the receiver from the start. */
  readonly isStored: boolean;
  readonly isEncrypted: boolean;
}

export function startSending(chosen: readonly ChosenFile[], { isStored, isEncrypted }: SendingChoice): void {
  const sending = new Sending(sortChosen(chosen), isEncrypted);
  setCurrent({ sending });
  if (!isStored) void sending.start();
  else {
    sending.keep().catch((error: unknown) => {
      setCurrent({ sending: undefined });
      tellError(error);
    });
  }
}
