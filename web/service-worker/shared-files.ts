// What other apps share. The page `web/src/pages/save-shared` saves it.
import { storeSharedFiles } from '../src/common/shared-files.ts';

/** Text that is shared without a file becomes one. */
const TEXT_NAME = 'Shared text.txt';

/** Keeps what a form contains, and leads to the page that saves it. */
export async function takeShared(request: Request): Promise<Response> {
  await storeSharedFiles(toFiles(await request.formData()));
  return Response.redirect('/save-shared', 303);
}

/** The shared files, or a file with the shared text and address. */
function toFiles(form: FormData): readonly File[] {
  const files = form.getAll('files').filter((part) => part instanceof File);
  if (files.length > 0) return files;
  const title = textOf(form, 'title');
  const lines = [textOf(form, 'text'), textOf(form, 'url')].filter((line) => line !== '');
  if (lines.length === 0) return [];
  const name =
    title === '' ? TEXT_NAME : `${title.replaceAll(/[/\\:*?"<>|\p{Cc}]/gu, ' ').trim() || 'Shared'}.txt`;
  return [new File([`${lines.join('\n')}\n`], name, { type: 'text/plain' })];
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
