import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { toTimestamp } from '../../base/dates.ts';
import { readConfig } from '../../config/config.ts';
import { nameRelease } from '../../releases/releases.ts';
import { recordAudit } from '../audit.ts';
import { type Command, type CommandContext, CommandFault } from '../command.ts';
import { readArguments } from '../read-arguments.ts';
import { withAccounts } from '../with-parts.ts';

export const releasePublish: Command = {
  name: 'release publish',
  takes: 'FILE.apk --version-name 1.4.0 --version-code 14 [--name holdall]',
  does: 'publishes a package for phones; the newest five are kept',
  run: publish,
};

export const releaseList: Command = {
  name: 'release list',
  takes: '',
  does: 'lists the packages that are served, newest first',
  run: async (args, { env, say }: CommandContext) => {
    readArguments(args, {});
    const releases = await withAccounts(readConfig(env), (parts) => parts.releases.list());
    if (releases.length === 0) say('Nothing is published.');
    for (const { versionCode, versionName, fileName, size, releasedAt } of releases) {
      say(`${versionCode}\t${versionName}\t${fileName}\t${size} bytes\t${toTimestamp(releasedAt)}`);
    }
  },
};

export const releaseRemove: Command = {
  name: 'release remove',
  takes: 'VERSION_CODE',
  does: 'removes a package; the newest remaining one becomes the latest',
  run: async (args, { env, say }: CommandContext) => {
    const { positionals } = readArguments(args, { positionals: ['VERSION_CODE'] });
    const versionCode = toVersionCode(positionals[0]);
    const { fileName } = await withAccounts(readConfig(env), (parts) =>
      parts.releases.remove(versionCode, (tx, release) =>
        recordAudit(tx, {
          action: 'REMOVE_RELEASE',
          targetType: 'RELEASE',
          targetId: versionCode,
          target: release.fileName,
          summary: `Withdrew ${release.fileName}.`,
        }),
      ),
    );
    say(`${fileName} is no longer served.`);
  },
};

async function publish(
  args: readonly string[],
  { env, say, progress, signal }: CommandContext,
): Promise<void> {
  const { positionals, values } = readArguments(args, {
    positionals: ['FILE.apk'],
    values: ['version-name', 'version-code', 'name'],
  });
  const [file = ''] = positionals;
  const versionName = values['version-name'];
  if (versionName === undefined) throw new CommandFault('--version-name is missing. Example: 1.4.0');
  const release = nameRelease(values.name ?? 'holdall', versionName, toVersionCode(values['version-code']));
  const size = await sizeOf(file);
  const gone = await withAccounts(readConfig(env), (parts) =>
    parts.releases.publish(release, createReadStream(file), {
      signal,
      onProgress: (bytes) => progress(`Stored ${bytes} of ${size} bytes.`),
      alsoDo: (tx, { versionCode, fileName }) =>
        recordAudit(tx, {
          action: 'PUBLISH_RELEASE',
          targetType: 'RELEASE',
          targetId: versionCode,
          target: fileName,
          summary: `Published ${fileName}.`,
        }),
    }),
  );
  say(`${release.fileName} is published.`);
  for (const name of gone) say(`${name} is no longer served.`);
}

function toVersionCode(text: string | undefined): number {
  if (text !== undefined && /^\d{1,10}$/.test(text)) return Number(text);
  throw new CommandFault('The version code is missing or not a number. Example: 14');
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: unknown) => {
    throw new CommandFault(`${file} cannot be read.`, { cause: error });
  });
  if (!found.isFile()) throw new CommandFault(`${file} is not a file.`);
  return found.size;
}
