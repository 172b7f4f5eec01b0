// What other apps share, until the page has taken it. The page reads it in `web/src/pages/save-shared`.

/** The cache of shared files. Each has an address of its own, and its name in a header. */
const CACHE = 'holdall-shared';
const NAME_HEADER = 'x-name';

/** Text that is shared without a file becomes one. */
const TEXT_NAME = 'Shared text.txt';

/** Keeps the shared files, beside those that nobody took yet, and leads to the page that saves them. */
export async function keepShared(request: Request): Promise<Response> {
  const files = toFiles(await request.formData());
  const cache = await caches.open(CACHE);
  for (const file of files) {
    const headers = {
      'content-type': file.type || 'application/octet-stream',
      'last-modified': new Date(file.lastModified).toUTCString(),
      [NAME_HEADER]: encodeURIComponent(file.name),
    };
    await cache.put(`/shared-file/${crypto.randomUUID()}`, new Response(file, { headers }));
  }
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
