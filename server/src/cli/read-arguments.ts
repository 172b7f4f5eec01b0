import { parseArgs } from 'node:util';
import { CommandFault } from './command.ts';

export interface ParsedArguments<Name extends string, Flag extends string> {
  /** The positional arguments, as many as were expected. */
  readonly positionals: readonly string[];
  readonly values: Readonly<Partial<Record<Name, string>>>;
  readonly flags: ReadonlySet<Flag>;
}

/**
 * Parses the arguments of a command, such as `NAME --role ADMIN --json`.
 * @throws CommandFault for unknown, missing or extra arguments
 */
export function readArguments<Name extends string = never, Flag extends string = never>(
  args: readonly string[],
  expected: { positionals?: readonly string[]; values?: readonly Name[]; flags?: readonly Flag[] },
): ParsedArguments<Name, Flag> {
  const { positionals = [], values = [], flags = [] } = expected;
  const options = Object.fromEntries([
    ...values.map((name) => [name, { type: 'string' as const }]),
    ...flags.map((name) => [name, { type: 'boolean' as const }]),
  ]);
  const found = parse(args, options);
  if (found.positionals.length !== positionals.length) {
    const wanted = positionals.length === 0 ? 'nothing but options' : positionals.join(' and ');
    throw new CommandFault(
      `Expected ${wanted}, got ${found.positionals.length === 0 ? 'nothing' : `"${found.positionals.join(' ')}"`}.`,
    );
  }
  return {
    positionals: found.positionals,
    // parseArgs returns strings for the values and true for the flags, as the options above declare.
    values: Object.fromEntries(values.flatMap((name) => textOf(name, found.values[name]))) as Partial<
      Record<Name, string>
    >,
    flags: new Set(flags.filter((name) => found.values[name] === true)),
  };
}

function textOf(name: string, value: unknown): readonly (readonly [string, string])[] {
  return typeof value === 'string' ? [[name, value]] : [];
}

function parse(args: readonly string[], options: Record<string, { type: 'string' | 'boolean' }>) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new CommandFault(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
