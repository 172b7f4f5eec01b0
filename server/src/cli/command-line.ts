import { ConfigError } from '../config/config.ts';
import { type Command, CommandFault, type Surroundings } from './command.ts';
import { storageCors } from './storage-cors.ts';

const COMMANDS: readonly Command[] = [storageCors];

/** What scripts can tell apart. */
const DONE = 0;
const FAILED = 1;
const NOT_AS_ASKED = 2;

/** Does what the words say; faults go to `complain`. Gives the exit code. */
export async function runCommandLine(
  words: readonly string[],
  surroundings: Surroundings,
  complain: (line: string) => void,
): Promise<number> {
  if (words[0] === 'help' || words.includes('--help') || words.includes('-h')) {
    surroundings.say(usage());
    return DONE;
  }
  const command = COMMANDS.find(({ name }) => `${words.join(' ')} `.startsWith(`${name} `));
  if (command === undefined) {
    complain(words.length === 0 ? usage() : `There is no command "${words.join(' ')}".\n\n${usage()}`);
    return NOT_AS_ASKED;
  }
  try {
    await command.run(words.slice(command.name.split(' ').length), surroundings);
    return DONE;
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    return error instanceof CommandFault || error instanceof ConfigError ? NOT_AS_ASKED : FAILED;
  }
}

function usage(): string {
  const lines = COMMANDS.map(({ name, takes, does }) => `  holdall ${name} ${takes}\n      ${does}`);
  return ['Usage:', ...lines, '', 'The settings are those of the service: docs/operations.md.'].join('\n');
}
