import { VERSION } from '../app/version.ts';
import { toError } from '../base/errors.ts';
import { Failure } from '../base/failure.ts';
import { ConfigError } from '../config/config.ts';
import { type Command, type CommandContext, CommandFault } from './command.ts';
import { adminCreate, adminResetPassword, adminResetSecondFactor } from './commands/admin.ts';
import { adminDrives } from './commands/admin-drives.ts';
import { backup, restore } from './commands/backup.ts';
import { doctor } from './commands/doctor.ts';
import { inviteRotate, inviteShow } from './commands/invite.ts';
import { mailTest } from './commands/mail.ts';
import { migrate } from './commands/migrate.ts';
import { releaseList, releasePublish, releaseRemove } from './commands/release.ts';
import { searchIndexRebuild, searchIndexStatus } from './commands/search-index.ts';
import { serve } from './commands/serve.ts';
import { storageCors } from './commands/storage-cors.ts';
import { importDirectory, importFilebrowser, importNextcloud } from './imports/commands.ts';

const COMMANDS: readonly Command[] = [
  serve,
  migrate,
  adminCreate,
  adminResetPassword,
  adminResetSecondFactor,
  adminDrives,
  inviteShow,
  inviteRotate,
  mailTest,
  releasePublish,
  releaseList,
  releaseRemove,
  searchIndexStatus,
  searchIndexRebuild,
  doctor,
  backup,
  restore,
  importDirectory,
  importNextcloud,
  importFilebrowser,
  storageCors,
];

/** Exit codes, documented in docs/operations.md. */
const DONE = 0;
const FAILED = 1;
const WRONG_ARGUMENTS = 2;
/** 128 plus SIGINT, as shells report it. */
const STOPPED = 130;

/** Runs the command that the arguments name. Errors go to `complain`. Returns the exit code. */
export async function runCommandLine(
  args: readonly string[],
  context: CommandContext,
  complain: (line: string) => void,
): Promise<number> {
  if (args[0] === 'help' || args.includes('--help') || args.includes('-h')) {
    const asked = `${args.filter((word) => !/^(?:help|--help|-h)$/.test(word)).join(' ')} `;
    const explained = COMMANDS.filter(
      ({ name }) => asked.startsWith(`${name} `) || `${name} `.startsWith(asked),
    );
    context.say(usage(explained.length > 0 ? explained : COMMANDS));
    return DONE;
  }
  if (args[0] === '--version' || args[0] === 'version') {
    context.say(`Holdall ${VERSION}`);
    return DONE;
  }
  const command = COMMANDS.find(({ name }) => `${args.join(' ')} `.startsWith(`${name} `));
  if (command === undefined) {
    complain(args.length === 0 ? usage() : `There is no command "${args.join(' ')}".\n\n${usage()}`);
    return WRONG_ARGUMENTS;
  }
  try {
    await command.run(args.slice(command.name.split(' ').length), context);
    return DONE;
  } catch (error) {
    if (context.signal.aborted) {
      complain('Stopped.');
      return STOPPED;
    }
    complain(toError(error).message);
    return isWrongArguments(error) ? WRONG_ARGUMENTS : FAILED;
  }
}

function isWrongArguments(error: unknown): boolean {
  if (error instanceof CommandFault || error instanceof ConfigError) return true;
  return error instanceof Failure && error.kind === 'invalid';
}

function usage(commands = COMMANDS): string {
  const lines = commands.map(
    ({ name, takes, does }) => `  ${`holdall ${name} ${takes}`.trimEnd()}\n      ${does}`,
  );
  const version = commands === COMMANDS ? ['  holdall --version', '      shows the version'] : [];
  return [
    'Usage:',
    ...lines,
    ...version,
    '',
    'The settings are those of the service: docs/operations.md.',
  ].join('\n');
}
