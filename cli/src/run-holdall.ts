import { onStopSignals } from '../../server/src/app/process/stop-signals.ts';
import { describeCommands, isDriveCommand, runDriveCommandLine } from './drive-command-line.ts';
import { ProcessTerminal } from './terminal/process-terminal.ts';

/**
 * Runs the command that the arguments of this process call, and sets the exit code. Commands that are not for
 * people who use a drive are those for people who run a service.
 */
export async function runHoldall(args: readonly string[]): Promise<void> {
  const isHelp = ['help', '--help', '-h'].includes(args[0] ?? '');
  if (isDriveCommand(args) || isHelp) {
    process.stdout.on('error', endWithOutput);
  }
  if (isDriveCommand(args)) {
    await runInTerminal(args);
    return;
  }
  // Loaded only here, because it takes longer than most commands of the drive.
  const service = await import('../../server/src/cli/terminal.ts');
  await service.runInTerminal();
  if (!isHelp || args.length > 1) return;
  process.stdout.write(
    `\nFor people who use a drive ("holdall COMMAND --help" explains one):\n${describeCommands()}\n`,
  );
}

/** The result cannot be written, so going on would be of no use. A reader such as `head` needs no message. */
function endWithOutput(error: NodeJS.ErrnoException): never {
  // 128 plus SIGPIPE, as shells report it.
  if (error.code === 'EPIPE') process.exit(141);
  process.stderr.write(`The output cannot be written: ${error.message}\n`);
  process.exit(1);
}

async function runInTerminal(args: readonly string[]): Promise<void> {
  const end = new AbortController();
  onStopSignals(
    () => end.abort(),
    () => process.exit(1),
  );
  process.exitCode = await runDriveCommandLine(args, {
    env: process.env,
    terminal: new ProcessTerminal(),
    signal: end.signal,
  });
}
