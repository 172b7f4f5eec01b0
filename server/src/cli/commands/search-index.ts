import type { Parts } from '../../app/parts.ts';
import { toTimestamp } from '../../base/dates.ts';
import { formatBytes } from '../../base/format-bytes.ts';
import { readConfig } from '../../config/config.ts';
import type { Command, CommandContext } from '../command.ts';
import { readArguments } from '../read-arguments.ts';
import { withParts } from '../with-parts.ts';

export const searchIndexStatus: Command = {
  name: 'search-index status',
  takes: '',
  does: 'prints how many files the search in content knows, and how many wait',
  run: async (args, { env, say }) => {
    readArguments(args, {});
    await withParts(readConfig(env), async ({ contentSearch }) => {
      const { waiting, indexed, withoutText, givenUp, textBytes, lastError, lastErrorAt } =
        await contentSearch.describe();
      say(`The search in content is ${contentSearch.isOn ? 'on' : 'off'}.`);
      if (await contentSearch.isPaused()) say('Paused: the disk of the data directory is nearly full.');
      say(`Waiting: ${waiting}`);
      say(`Indexed: ${indexed}, with ${formatBytes(textBytes)} of text`);
      say(`Without text: ${withoutText}`);
      say(`Given up: ${givenUp}`);
      if (lastErrorAt !== null) say(`Last error, at ${toTimestamp(lastErrorAt)}: ${lastError}`);
    });
  },
};

export const searchIndexRebuild: Command = {
  name: 'search-index rebuild',
  takes: '[--given-up]',
  does: 'makes the service take the text of all files again, or only of those that it has given up',
  run: async (args, context) => {
    const { flags } = readArguments(args, { flags: ['given-up'] });
    const isPartial = flags.has('given-up');
    await withParts(readConfig(context.env), (parts) => rebuild(parts, context, isPartial));
  },
};

async function rebuild(
  { contentSearch }: Parts,
  { say, signal }: CommandContext,
  isPartial: boolean,
): Promise<void> {
  if (!contentSearch.isOn) throw new Error('The search in content is off: set HOLDALL_CONTENT_SEARCH=on.');
  if (isPartial) {
    say(`The service tries ${await contentSearch.retryGivenUp()} stored files again.`);
    return;
  }
  const count = await contentSearch.rebuild(signal);
  say(`The service takes the texts of ${count} stored files again, and those of files that it has missed.`);
}
