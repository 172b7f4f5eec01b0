import { hadFactors } from '../../accounts/accounts.ts';
import type { Role } from '../../base/domain/accounts.ts';
import { readConfig } from '../../config/config.ts';
import { recordAudit } from '../audit.ts';
import { type Command, type CommandContext, CommandFault } from '../command.ts';
import { readArguments } from '../read-arguments.ts';
import { withAccounts } from '../with-parts.ts';

const ROLES: readonly Role[] = ['USER', 'MODERATOR', 'ADMIN'];
const STDIN = 'password-stdin';

export const adminCreate: Command = {
  name: 'admin create',
  takes: 'NAME [--role ADMIN|MODERATOR|USER] [--password-stdin]',
  does: 'creates an account (an ADMIN by default) and prints its password once, or reads it from standard input',
  run: create,
};

export const adminResetPassword: Command = {
  name: 'admin reset-password',
  takes: 'NAME [--password-stdin]',
  does: 'gives an account a new password and ends all its sessions',
  run: resetPassword,
};

export const adminResetSecondFactor: Command = {
  name: 'admin reset-second-factor',
  takes: 'NAME',
  does: "removes an account's second factors; its password is then enough to log in",
  run: resetSecondFactor,
};

async function create(args: readonly string[], context: CommandContext): Promise<void> {
  const { positionals, values, flags } = readArguments(args, {
    positionals: ['NAME'],
    values: ['role'],
    flags: [STDIN],
  });
  const [username = ''] = positionals;
  const role = toRole(values.role ?? 'ADMIN');
  const wanted = await readPassword(flags, context);
  const password = await withAccounts(readConfig(context.env), ({ accounts }) =>
    accounts.operatorCommands.createAccount({ username, role, password: wanted }, (tx, accountId) =>
      recordAudit(tx, {
        action: 'CREATE_USER',
        targetType: 'USER',
        targetId: accountId,
        target: username,
        details: { role },
        summary: `Created ${username} as ${role}.`,
      }),
    ),
  );
  context.say(`username: ${username} (${role})`);
  if (wanted === undefined) context.say(`password: ${password}`);
}

async function resetPassword(args: readonly string[], context: CommandContext): Promise<void> {
  const { positionals, flags } = readArguments(args, { positionals: ['NAME'], flags: [STDIN] });
  const [username = ''] = positionals;
  const wanted = await readPassword(flags, context);
  const password = await withAccounts(readConfig(context.env), ({ accounts }) =>
    accounts.operatorCommands.resetPassword(username, wanted, (tx, accountId) =>
      recordAudit(tx, {
        action: 'RESET_USER_PASSWORD',
        targetType: 'USER',
        targetId: accountId,
        target: username,
        summary: `Gave ${username} a new password.`,
      }),
    ),
  );
  context.say(`${username} has a new password and must log in again everywhere.`);
  if (wanted === undefined) context.say(`password: ${password}`);
}

async function resetSecondFactor(args: readonly string[], context: CommandContext): Promise<void> {
  const { positionals } = readArguments(args, { positionals: ['NAME'] });
  const [username = ''] = positionals;
  const removed = await withAccounts(readConfig(context.env), ({ accounts }) =>
    accounts.operatorCommands.resetSecondFactors(username, async (tx, accountId, lost) => {
      if (!hadFactors(lost)) return;
      await recordAudit(tx, {
        action: 'RESET_SECOND_FACTORS',
        targetType: 'USER',
        targetId: accountId,
        target: username,
        details: { ...lost },
        summary: `Reset the second factors of ${username}.`,
      });
    }),
  );
  context.say(
    hadFactors(removed)
      ? `${username} has no second factor any more, and logs in with the password alone if there is one.`
      : `${username} has no second factor.`,
  );
}

function toRole(text: string): Role {
  const role = ROLES.find((each) => each === text.toUpperCase());
  if (role === undefined) throw new CommandFault(`--role is one of ${ROLES.join(', ')}.`);
  return role;
}

/**
 * Reads the password from standard input, never from the arguments: every process on the machine can see
 * those.
 */
async function readPassword(
  flags: ReadonlySet<string>,
  { readLine }: CommandContext,
): Promise<string | undefined> {
  if (!flags.has(STDIN)) return undefined;
  const password = await readLine();
  if (password === '') throw new CommandFault('Standard input contains no password.');
  return password;
}
