import type { EntryRecord } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import { nameOf, ROOT } from '../../common/names/drive-paths.ts';
import { messages } from '../../messages/i18n.ts';

/** Two names of this length, in any script, fit into the longest allowed name. */
const MAX_CHARACTERS = 30;
const MAX_NAME_BYTES = 255;

/**
 * The name of an archive with the entries: that of a single entry, that of the folder if they are its whole
 * content, or "Photos and Work.zip", "Photos and 3 more.zip".
 * @param entries at least one, all of one drive @throws HoldallError
 */
export async function archiveNameOf(entries: readonly EntryRecord[]): Promise<string> {
  const [first, second] = entries;
  if (first === undefined) return '';
  if (second === undefined) return toArchiveName(first.filename);
  if (await areWholeFolder(entries)) return toArchiveName(nameOf(first.parentPath));
  const names = { first: cutName(first.filename), second: cutName(second.filename) };
  const stem =
    entries.length === 2
      ? messages.t('drive.zipOfTwo', names)
      : messages.t('drive.zipOfMany', { ...names, number: entries.length - 1 });
  return toArchiveName(stem);
}

/** Whether the entries are everything in a folder other than the root. */
async function areWholeFolder(entries: readonly EntryRecord[]): Promise<boolean> {
  const { parentPath: path = ROOT, driveId: drive } = entries[0] ?? {};
  if (path === ROOT || entries.some(({ parentPath }) => parentPath !== path)) return false;
  const { total } = await ask('GET /api/files/list', { query: { path, size: 1 }, drive });
  return total === entries.length;
}

function cutName(name: string): string {
  return Array.from(name).slice(0, MAX_CHARACTERS).join('').trim();
}

/** Shortens a long name, because the service accepts 255 bytes including the extension. */
function toArchiveName(stem: string): string {
  const letters = [...stem];
  const encoder = new TextEncoder();
  while (encoder.encode(`${letters.join('')}.zip`).length > MAX_NAME_BYTES) letters.pop();
  return `${letters.join('').trimEnd()}.zip`;
}
