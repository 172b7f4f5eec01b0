import { type DriveCommand, UsageError } from '../drive-command.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/**
 * Creates the command that prints a shell's completion script.
 * @param listCommands returns all commands, including this one
 */
export function completionOf(listCommands: () => readonly DriveCommand[]): DriveCommand {
  return {
    name: 'completion',
    takes: 'SHELL',
    does: 'print the completion script for bash, zsh or fish: eval "$(holdall completion bash)"',
    async run([name, ...more], _values, { terminal }) {
      const shell = SHELLS.find((known) => known === name);
      if (shell === undefined || more.length > 0) throw new UsageError(`Give one of: ${SHELLS.join(', ')}.`);
      const commands = listCommands();
      terminal.print(shell === 'fish' ? toFish(commands) : toBash(commands, shell));
    },
  };
}

/** Also for zsh, which can run bash completions. */
function toBash(commands: readonly DriveCommand[], shell: 'bash' | 'zsh'): string {
  const cases = groupByFirstWord(commands).map(
    ([word, { options, seconds }]) => `    ${word}) words='${[...seconds, ...options].join(' ')}' ;;`,
  );
  return [
    ...(shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit'] : []),
    '_holdall() {',
    '  local words',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a shell variable.
    '  local current=${COMP_WORDS[COMP_CWORD]}',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words='${groupByFirstWord(commands)
      .map(([word]) => word)
      .join(' ')}'`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a shell variable.
    '  else case ${COMP_WORDS[1]} in',
    ...cases,
    '  esac fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    // Without a match, files are completed.
    'complete -o default -F _holdall holdall',
  ].join('\n');
}

function toFish(commands: readonly DriveCommand[]): string {
  const lines = groupByFirstWord(commands).flatMap(([word, { options, seconds, does }]) => [
    `complete -c holdall -n __fish_use_subcommand -a ${word} -d ${quote(does)}`,
    ...seconds.map((second) => `complete -c holdall -n '__fish_seen_subcommand_from ${word}' -a ${second}`),
    ...options.map(
      (option) => `complete -c holdall -n '__fish_seen_subcommand_from ${word}' -l ${option.slice(2)}`,
    ),
  ]);
  return lines.join('\n');
}

interface Completions {
  readonly does: string;
  readonly options: readonly string[];
  /** The second words of commands such as `bin list`. */
  readonly seconds: readonly string[];
}

function groupByFirstWord(commands: readonly DriveCommand[]): readonly (readonly [string, Completions])[] {
  const grouped = Map.groupBy(commands, ({ name }) => name.split(' ')[0] ?? name);
  return [...grouped].map(([word, group]) => [
    word,
    {
      does: group[0]?.does ?? '',
      options: [
        ...new Set(group.flatMap(({ options = {} }) => Object.keys(options).map((name) => `--${name}`))),
      ],
      seconds: group.flatMap(({ name }) => name.split(' ').slice(1)),
    },
  ]);
}

/** Quotes a word for a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
