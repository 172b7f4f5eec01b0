import type { SecretBox } from '../../base/secret-box.ts';
import type { Letter } from './letter.ts';

/** Encrypts a letter, because it may contain a token. It is bound to its recipient. */
export function sealLetter(box: SecretBox, address: string, letter: Letter): string {
  return box.seal(Buffer.from(JSON.stringify(letter)), contextOf(address, letter.kind));
}

/** Undefined if the letter was sealed with another service secret, or for another recipient. */
export function openLetter(
  box: SecretBox,
  { address, kind, sealedData }: { address: string; kind: string; sealedData: string },
): Letter | undefined {
  const opened = box.open(sealedData, contextOf(address, kind));
  return opened === undefined ? undefined : JSON.parse(opened.toString());
}

function contextOf(address: string, kind: string): string {
  return `${kind} to ${address}`;
}
