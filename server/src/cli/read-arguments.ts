import { parseArgs } from 'node:util';
import { toError } from '../base/errors.ts';
import { CommandFault } from './command.ts';

interface ParsedArguments<Name extends string, Flag extends string, List extends string> {
  /** The positional arguments, as many as were expected. */
  readonly positionals: readonly string[];
  readonly values: Readonly<Partial<Record<Name, string>>>;
  readonly flags: ReadonlySet<Flag>;
  /** The values of options that may be given several times. */
  readonly lists: Readonly<Record<List, readonly string[]>>;
}

/**
 * Parses the arguments of a command, such as `NAME --role ADMIN --json`.
 * @throws CommandFault for unknown, missing or extra arguments
 */
export function readArguments<
  Name extends string = never,
  Flag extends string = never,
  List extends string = never,
>(
  args: readonly string[],
  expected: {
    positionals?: readonly string[];
    values?: readonly Name[];
    flags?: readonly Flag[];
    lists?: readonly List[];
  },
): ParsedArguments<Name, Flag, List> {
  const { positionals = [], values = [], flags = [], lists = [] } = expected;
  const options = Object.fromEntries([
    ...values.map((name) => [name, { type: 'string' as const }]),
    ...flags.map((name) => [name, { type: 'boolean' as const }]),
    ...lists.map((name) => [name, { type: 'string' as const, multiple: true }]),
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
    // As the options declare, parseArgs returns strings for values, arrays for lists, and true for flags.
    values: Object.fromEntries(values.flatMap((name) => textOf(name, found.values[name]))) as Partial<
      Record<Name, string>
    >,
    flags: new Set(flags.filter((name) => found.values[name] === true)),
    lists: Object.fromEntries(lists.map((name) => [name, listOf(found.values[name])])) as unknown as Record<
      List,
      readonly string[]
    >,
  };
}

function textOf(name: string, value: unknown): readonly (readonly [string, string])[] {
  return typeof value === 'string' ? [[name, value]] : [];
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function parse(
  args: readonly string[],
  options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean }>,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new CommandFault(toError(error).message, { cause: error });
  }
}
