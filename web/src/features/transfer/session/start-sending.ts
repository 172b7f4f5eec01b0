import { notifyError } from '../../../ui/notifications/notify.ts';
import { setCurrent } from './current.ts';
import { type ChosenFile, sortChosen } from './files/chosen-files.ts';
import { Sending } from './sending.ts';

interface SendingChoice {
  /** Whether the service stores the files for the receiver from the start. */
  readonly isStored: boolean;
  readonly isEncrypted: boolean;
  /** Another device of the user to ask to receive the files. */
  readonly device?: AskedDevice | undefined;
}

export interface AskedDevice {
  /** The id of its login session. */
  readonly id: string;
  readonly name: string;
  /** Called if the device cannot be asked. The code stays valid for any device. */
  readonly onFailure: (error: unknown) => void;
}

/** For each transfer, the function that sends its files again. */
const restarts = new WeakMap<Sending, () => void>();

export function startSending(
  chosen: readonly ChosenFile[],
  { isStored, isEncrypted, device }: SendingChoice,
): void {
  const sending = new Sending(sortChosen(chosen), isEncrypted);
  // Omits the device: one that did not accept the first transfer is not asked again automatically.
  restarts.set(sending, () => startSending(chosen, { isStored, isEncrypted }));
  setCurrent({ sending });
  if (!isStored) {
    void sending.start().then(() => {
      if (device !== undefined) sending.offerTo(device.id, device.name).catch(device.onFailure);
    });
  } else {
    sending.startStoring().catch((error: unknown) => {
      setCurrent({ sending: undefined });
      notifyError(error);
    });
  }
}

/** Starts another transfer of the same files, with a new code. */
export function sendAgain(sending: Sending): void {
  restarts.get(sending)?.();
}
