import { type DriveCommand, UsageError, type Values } from '../drive-command.ts';
import { DrivePaths } from '../drive-paths.ts';
import { getEntry } from '../remote-path.ts';
import { printable } from '../terminal/format.ts';

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

const OPTIONS = {
  expires: { type: 'string', value: 'TIME', does: 'expiry: 30m, 12h, 7d, 2w' },
  password: { type: 'boolean', does: 'ask for a password that visitors must enter' },
} as const;

export const share: DriveCommand = {
  name: 'share',
  takes: 'PATH',
  does: 'create a link to a file for anyone',
  options: {
    ...OPTIONS,
    'max-downloads': { type: 'string', value: 'N', does: 'maximum number of downloads' },
  },
  async run(args, values, context) {
    const text = onePath(args);
    const expiresAt = expiryOf(values);
    const maxDownloads = values.count('max-downloads');
    const { terminal, signal, login } = context;
    const { holdall, path } = await DrivePaths.findOne(context, text);
    const entry = await getEntry(holdall, path, signal);
    if (entry.directory) throw new UsageError(`${printable(text)} is a directory: use "holdall link".`);
    const password = await askForPassword(values, terminal);
    const body = { fileId: entry.id, expiresAt, maxDownloads, password };
    const { token } = await holdall.shares.create(body, { signal });
    terminal.print(`${(await login.read())?.url}/s/${printable(token)}`);
  },
};

export const link: DriveCommand = {
  name: 'link',
  takes: 'PATH',
  does: 'create a link to a directory for anyone: to view, to upload, or both',
  options: {
    ...OPTIONS,
    mode: { type: 'string', value: 'MODE', does: 'view (default), upload or both' },
    title: { type: 'string', value: 'TEXT', does: 'what visitors see as its name' },
  },
  async run(args, values, context) {
    const text = onePath(args);
    const expiresAt = expiryOf(values);
    const { terminal, signal, login } = context;
    const mode = MODES[values.oneOf('mode', ['view', 'upload', 'both'] as const) ?? 'view'];
    const { holdall, path } = await DrivePaths.findOne(context, text);
    const entry = path === '/' ? undefined : await getEntry(holdall, path, signal);
    if (entry !== undefined && !entry.directory) {
      throw new UsageError(`${printable(text)} is a file: use "holdall share".`);
    }
    const password = await askForPassword(values, terminal);
    const body = { directoryId: entry?.id ?? null, mode, expiresAt, title: values.text('title'), password };
    const { token } = await holdall.folderLinks.create(body, { signal });
    terminal.print(`${(await login.read())?.url}/f/${printable(token)}`);
  },
};

const MODES = { view: 'VIEW', upload: 'UPLOAD', both: 'BOTH' } as const;

async function askForPassword(
  values: Values,
  terminal: { ask(question: string, options: { readonly isSecret: boolean }): Promise<string> },
): Promise<string | undefined> {
  if (!values.is('password')) return undefined;
  const password = await terminal.ask('Password for visitors: ', { isSecret: true });
  if (password === '') throw new UsageError('The password is empty.');
  return password;
}

/** @throws UsageError */
function expiryOf(values: Values): string | undefined {
  const text = values.text('expires');
  if (text === undefined) return undefined;
  const [, count = '', unit = ''] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS_MS[unit as keyof typeof UNITS_MS] ?? 0);
  if (!(ms > 0)) throw new UsageError(`--expires takes a time such as 30m, 12h, 7d or 2w, not "${text}".`);
  return new Date(Date.now() + ms).toISOString();
}

function onePath(args: readonly string[]): string {
  const [path, ...more] = args;
  if (path === undefined || more.length > 0) throw new UsageError('Give one path.');
  return path;
}
