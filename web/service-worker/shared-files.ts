// Receives what other apps share. The page `web/src/pages/save-shared` saves it.
import { storeSharedFiles } from '../src/common/shared-files.ts';

/** Text that is shared without a file becomes a file of this name. */
const TEXT_NAME = 'Shared text.txt';

/** Stores the content of a form, and redirects to the page that asks what to save. */
export async function takeShared(request: Request): Promise<Response> {
  if (isFromWebsite(request)) return Response.redirect('/save-shared?refused=website', 303);
  const isStored = await storeSharedFiles(toFiles(await request.formData()));
  return Response.redirect(isStored ? '/save-shared' : '/save-shared?refused=many', 303);
}

/**
 * Whether a page of another origin has sent the form. The share sheet of the system has no origin. A page can
 * hide its origin, so nothing is saved before the user has seen the names.
 */
function isFromWebsite({ headers, referrer }: Request): boolean {
  const own = self.location.origin;
  const origin = headers.get('origin') ?? 'null';
  if (origin !== 'null' && origin !== own) return true;
  if (['cross-site', 'same-site'].includes(headers.get('sec-fetch-site') ?? '')) return true;
  return URL.canParse(referrer) && /^https?:/.test(referrer) && new URL(referrer).origin !== own;
}

/** The shared files, or a file with the shared text and URL. */
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
