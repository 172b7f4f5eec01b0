// Whether the sender encrypts transfers. The browser remembers the choice.

import { readStored, writeStored } from '../../../api/stored.ts';

const KEY = 'holdall.transfer.encryption';

export function readEncryptionChoice(): boolean {
  return readStored(KEY) === 'on';
}

export function chooseEncryption(isOn: boolean): void {
  writeStored(KEY, isOn ? 'on' : undefined);
}
