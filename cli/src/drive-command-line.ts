// The commands of `holdall` for users of a drive.
import { parseArgs } from 'node:util';
import {
  appPassword,
  ConflictError,
  type Connect,
  Holdall,
  HoldallError,
  NotFoundError,
  TransferFault,
  UnauthenticatedError,
} from '../../client/src/client.ts';
import { httpFetch } from '../../client/src/node/files.ts';
import { binEmpty, binList, binRestore } from './commands/bin.ts';
import { completionOf } from './commands/completion.ts';
import { drives } from './commands/drives.ts';
import { cat, get } from './commands/get.ts';
import { link, share } from './commands/links.ts';
import { list, tree } from './commands/list.ts';
import { login, logout } from './commands/login.ts';
import { copy, makeDirectory, move, remove } from './commands/organize.ts';
import { put } from './commands/put.ts';
import { receive } from './commands/receive.ts';
import { send } from './commands/send.ts';
import { sync } from './commands/sync.ts';
import { watch } from './commands/watch.ts';
import {
  type DriveCommand,
  type DriveContext,
  NotLoggedIn,
  type Option,
  PartFailed,
  type Terminal,
  UsageError,
  Values,
} from './drive-command.ts';
import { LoginFile } from './login-file.ts';
import { printable } from './terminal/format.ts';
import { findInstalledConnect } from './transfer/installed-connect.ts';

export const DRIVE_COMMANDS: readonly DriveCommand[] = [
  login,
  logout,
  drives,
  list,
  tree,
  cat,
  get,
  put,
  sync,
  makeDirectory,
  move,
  copy,
  remove,
  binList,
  binRestore,
  binEmpty,
  share,
  link,
  send,
  receive,
  watch,
  completionOf(() => DRIVE_COMMANDS),
];

/** Exit codes, documented in docs/command-line.md. */
const EXIT = {
  done: 0,
  failed: 1,
  wrongArguments: 2,
  notLoggedIn: 3,
  notFound: 4,
  conflict: 5,
  /** 128 plus SIGINT, as shells report it. */
  stopped: 130,
} as const;

const HELP: Option = { type: 'boolean', short: 'h', does: 'show this help' };

/** Whether the arguments name a command for users of a drive. */
export function isDriveCommand(args: readonly string[]): boolean {
  return findCommand(args) !== undefined;
}

/** Runs the command that the arguments name. Returns the exit code. */
export async function runDriveCommandLine(
  args: readonly string[],
  context: {
    readonly env: DriveContext['env'];
    readonly terminal: Terminal;
    readonly signal: AbortSignal;
    /** The default uses the installed package. */
    readonly findConnect?: () => Connect | undefined;
  },
): Promise<number> {
  const { terminal, signal, env, findConnect = findInstalledConnect } = context;
  const command = findCommand(args);
  if (command === undefined) {
    terminal.note(`There is no command "${args.join(' ')}".\n\n${describeCommands()}`);
    return EXIT.wrongArguments;
  }
  const loginFile = new LoginFile(env);
  const open = async (clientId = 'holdall') => {
    const found = await loginFile.read();
    if (found === undefined) throw new NotLoggedIn();
    const credentials = appPassword(found.password);
    return new Holdall({ url: found.url, credentials, clientId, fetch: httpFetch });
  };
  try {
    const options = { ...command.options, help: HELP };
    const parsed = readArguments(args.slice(command.name.split(' ').length), options);
    if (parsed.values.is('help')) terminal.print(describeCommand(command));
    else {
      const context = { env, terminal, login: loginFile, signal, open, findConnect };
      await command.run(parsed.args, parsed.values, context);
    }
    return EXIT.done;
  } catch (error) {
    return report(error, command, terminal, signal);
  }
}

/** The list of commands, one per line. */
export function describeCommands(): string {
  return DRIVE_COMMANDS.map(
    ({ name, takes, does }) => `  ${`holdall ${name} ${takes}`.trimEnd()}\n      ${does}`,
  ).join('\n');
}

function findCommand(args: readonly string[]): DriveCommand | undefined {
  return DRIVE_COMMANDS.find(({ name }) => `${args.join(' ')} `.startsWith(`${name} `));
}

function readArguments(args: readonly string[], options: Readonly<Record<string, Option>>) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(options).map(([name, { type, short, multiple }]) => [
          name,
          {
            type,
            ...(short === undefined ? {} : { short }),
            ...(multiple === undefined ? {} : { multiple }),
          },
        ]),
      ),
    });
    return { args: positionals, values: new Values(values) };
  } catch (error) {
    // The message of `parseArgs` names the option that is unknown or lacks its value.
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function describeCommand({ name, takes, does, options = {} }: DriveCommand): string {
  const lines = Object.entries({ ...options, help: HELP }).map(([option, { value, short, does: text }]) => {
    const long = `--${option}${value === undefined ? '' : ` ${value}`}`;
    return `  ${(short === undefined ? long : `-${short}, ${long}`).padEnd(26)} ${text}`;
  });
  return [`holdall ${name} ${takes}`.trimEnd(), `  ${does}`, '', ...lines].join('\n');
}

function report(error: unknown, command: DriveCommand, terminal: Terminal, signal: AbortSignal): number {
  if (signal.aborted) {
    terminal.note('Stopped.');
    return EXIT.stopped;
  }
  if (error instanceof PartFailed) {
    terminal.note(error.message);
    return EXIT.failed;
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageError) {
    terminal.note(`${message}\n\n${describeCommand(command)}`);
    return EXIT.wrongArguments;
  }
  if (error instanceof UnauthenticatedError) {
    terminal.note('The app password was revoked or has expired. Log in again.');
    return EXIT.notLoggedIn;
  }
  terminal.note(message);
  const cause = findLocalCause(error);
  if (cause !== undefined) terminal.note(printable(cause.message));
  if (error instanceof NotLoggedIn) return EXIT.notLoggedIn;
  if (error instanceof NotFoundError) return EXIT.notFound;
  if ((cause ?? error) instanceof ConflictError) return EXIT.conflict;
  if (error instanceof HoldallError && error.requestId !== undefined && error.status >= 500) {
    terminal.note(`The log of the service has the cause under ${error.requestId}.`);
  }
  return EXIT.failed;
}

/**
 * Why this computer cannot read or write a file of a transfer. The message of the fault does not say why,
 * because both sides of the transfer show it.
 */
function findLocalCause(error: unknown): Error | undefined {
  if (!(error instanceof TransferFault) || !(error.cause instanceof Error)) return undefined;
  return error.fault === 'unwritable' || error.fault === 'unreadable' ? error.cause : undefined;
}
