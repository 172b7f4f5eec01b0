import { hostname } from 'node:os';
import { appPassword, Holdall, UnauthenticatedError } from '../../../client/src/client.ts';
import { type DriveCommand, type DriveContext, UsageError } from '../drive-command.ts';

/** The maximum length of an app password's name, in characters. */
const MAX_NAME_LENGTH = 64;

export const login: DriveCommand = {
  name: 'login',
  takes: 'URL',
  does: 'log in with a username and password, or with an app password',
  options: {
    user: { type: 'string', short: 'u', value: 'NAME', does: 'your username; asked for if missing' },
    'app-password': { type: 'boolean', does: 'ask for an app password created in your settings' },
  },
  async run([address, ...more], values, context) {
    if (address === undefined || more.length > 0) throw new UsageError('Give the address of your drive.');
    const url = toAddress(address);
    const { terminal } = context;
    if (values.is('app-password')) {
      const password = (await terminal.ask('App password: ', { isSecret: true })).trim();
      const { username } = await new Holdall({ url, credentials: appPassword(password) }).account.profile();
      await context.login.write({ url, username, password });
      terminal.print(`You are logged in to ${url} as ${username}.`);
      return;
    }
    const name = values.text('user') ?? (await terminal.ask('Username: '));
    const { username, password } = await makeAppPassword(url, name.trim(), context);
    await context.login.write({ url, username, password });
    terminal.print(`You are logged in to ${url} as ${username}.`);
    terminal.note('Your settings list this login among the app passwords, where you can revoke it.');
  },
};

export const logout: DriveCommand = {
  name: 'logout',
  takes: '',
  does: 'delete the stored app password from this computer',
  async run(_words, _values, { login: file, terminal }) {
    const found = await file.read();
    await file.remove();
    terminal.print(
      found === undefined
        ? 'You were not logged in.'
        : `The login is deleted. To revoke its app password, open ${found.url}/profile/apps.`,
    );
  },
};

/** Logs in with the password, creates an app password for this computer, and logs out again. */
async function makeAppPassword(
  url: string,
  name: string,
  { terminal, signal }: DriveContext,
): Promise<{ readonly username: string; readonly password: string }> {
  const holdall = new Holdall({ url });
  const secret = await terminal.ask('Password: ', { isSecret: true });
  try {
    const { user, mustChangePassword } = await holdall.auth.logIn(name, secret, {
      signal,
      askForCode: () => terminal.ask('Code of your authenticator app, or a recovery code: '),
    });
    if (mustChangePassword) throw new Error(`Log in at ${url} first and choose a new password.`);
    const label = `holdall on ${hostname()}`.slice(0, MAX_NAME_LENGTH);
    const { password } = await holdall.appPasswords.create({ name: label, scope: 'WRITE' }, { signal });
    return { username: user.username, password };
  } catch (error) {
    if (error instanceof UnauthenticatedError) throw new Error(error.message, { cause: error });
    throw error;
  } finally {
    await holdall.auth.logOut().catch(() => undefined);
  }
}

/** @throws UsageError */
function toAddress(text: string): string {
  const withScheme = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(withScheme)) throw new UsageError(`"${text}" is not the address of a drive.`);
  return withScheme.replace(/\/+$/, '');
}
