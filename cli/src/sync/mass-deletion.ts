/** Fewer entries are too few to tell a mistake from tidying up. */
const MIN_VANISHED = 50;

/** One side has lost so much that it is probably a mistake, such as a disk that is not mounted. */
export class MassDeletion extends Error {
  override readonly name = 'MassDeletion';
}

/**
 * Refuses to delete on one side what vanished on the other, if everything vanished, or more than half of many entries.
 * @param side where the entries vanished, such as `/home/ann/Photos`
 * @throws MassDeletion
 */
export function checkMassDeletion(
  side: string,
  {
    vanished,
    known,
    isEmpty,
  }: { readonly vanished: number; readonly known: number; readonly isEmpty: boolean },
): void {
  const isEverything = isEmpty && vanished > 1;
  if (!isEverything && (vanished < MIN_VANISHED || vanished * 2 <= known)) return;
  throw new MassDeletion(
    `${isEverything ? `${side} is empty` : `${vanished} of ${known} entries are missing in ${side}`}. ` +
      'Nothing was changed. Is a disk not mounted? To delete them on the other side too, add --allow-mass-deletion.',
  );
}
