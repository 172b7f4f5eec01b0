// The sender's choice whether to encrypt, which is remembered for the next time.

import { readStored, writeStored } from '../../../api/stored.ts';

const KEY = 'holdall.transfer.encryption';

export function readEncryptionChoice(): boolean {
  return readStored(KEY) === 'on';
}

export function chooseEncryption(isOn: boolean): void {
  writeStored(KEY, isOn ? 'on' : undefined);
}
