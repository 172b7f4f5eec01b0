import { systemIds } from '../../base/ids.ts';
import { readConfig } from '../../config/config.ts';
import { recordAudit } from '../audit.ts';
import type { Command, CommandContext } from '../command.ts';
import { readArguments } from '../read-arguments.ts';
import { withAccounts } from '../with-parts.ts';

const CODE_BITS = 96;

export const inviteShow: Command = {
  name: 'invite show',
  takes: '',
  does: 'prints the code for the next registration',
  run: async (args, { env, say }: CommandContext) => {
    readArguments(args, {});
    await withAccounts(readConfig(env), async ({ settings, database }) => {
      say((await settings.findInviteCode(database.db)) ?? 'There is no invite code.');
    });
  },
};

export const inviteRotate: Command = {
  name: 'invite rotate',
  takes: '',
  does: 'creates a new code and prints it; the old one becomes invalid',
  run: async (args, { env, say }: CommandContext) => {
    readArguments(args, {});
    const code = systemIds.token(CODE_BITS);
    await withAccounts(readConfig(env), ({ settings, database }) =>
      database.transact(async (tx) => {
        await settings.putInviteCode(tx, code);
        await recordAudit(tx, {
          action: 'ROTATE_INVITE_CODE',
          targetType: 'SETTING',
          targetId: null,
          target: 'invite code',
          summary: 'Replaced the invite code with a random one.',
        });
      }),
    );
    say(code);
  },
};
