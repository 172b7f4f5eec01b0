import type { Tx } from '../../database/database.ts';
import type { Actor, EntryWithPath } from '../../drive/drive.ts';
import { isShared } from '../../shares/shares.ts';
import { mergeDeadProperties } from '../properties/merge.ts';
import type { ChangeContext } from './change-context.ts';

/**
 * COPY or MOVE of a file onto a file. RFC 4918, section 9.8.4, asks for a DELETE of the destination before; but
 * then programs that save by MOVE would end the links of a document. So the file keeps its identity and its
 * locks, and gets the content and the properties of the source.
 * @throws DavError 507, Failure `over-limit`
 */
export async function replaceFile(
  tx: Tx,
  { drive }: ChangeContext,
  actor: Actor,
  { source, target, isMove }: { source: EntryWithPath; target: EntryWithPath; isMove: boolean },
): Promise<void> {
  const { fileReplacement } = drive;
  await mergeDeadProperties(tx, source.entry, target.entry);
  if (!isMove) return fileReplacement.copyOnto(tx, actor, source, target);
  const isSourceShared = await isShared(tx, source.entry.id);
  await fileReplacement.moveOnto(tx, actor, { source, target, isShared: isSourceShared });
}
