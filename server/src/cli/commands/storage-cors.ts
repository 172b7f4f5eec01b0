import { readConfig } from '../../config/config.ts';
import { toOrigin } from '../../config/origin.ts';
import { type Command, type CommandContext, CommandFault } from '../command.ts';

/**
 * Browsers upload to the store directly, and ask the store whether a page may do that. So the bucket must
 * know the origins of the pages, just as the service knows them from `HOLDALL_CORS_ORIGINS`.
 */
export const storageCors: Command = {
  name: 'storage cors',
  takes: '[ORIGIN…]',
  does: 'allows pages from these origins, such as https://drive.example.org, to use the S3 bucket; without origins, shows the rules',
  run,
};

async function run(args: readonly string[], { env, say }: CommandContext): Promise<void> {
  const origins = args.map(readOrigin);
  const { s3 } = readConfig(env);
  if (s3 === undefined) {
    throw new CommandFault(
      'Objects are stored on the local disk (HOLDALL_STORAGE), so there is no bucket to configure.',
    );
  }
  // Imported only here, because the SDK is large.
  const [{ S3Bucket }, { allowOrigins, listCorsRules }] = await Promise.all([
    import('../../storage/s3/bucket.ts'),
    import('../../storage/s3/direct/cors.ts'),
  ]);
  const { accessKeyId, secretAccessKey } = s3;
  const bucket = new S3Bucket({ ...s3, credentials: { accessKeyId, secretAccessKey } }, s3.prefix);
  try {
    if (origins.length > 0) await allowOrigins(bucket, origins);
    const rules = await listCorsRules(bucket);
    if (rules.length === 0) say(`No page may use the bucket ${s3.bucket}: it has no CORS rule.`);
    else say(`Pages that may use the bucket ${s3.bucket}, by its CORS rules:`);
    for (const rule of rules) {
      say(`  ${rule.origins.join(' ')} (${rule.methods.join(' ')}; rule ${rule.id ?? 'without a name'})`);
    }
  } finally {
    bucket.close();
  }
}

function readOrigin(arg: string): string {
  const origin = toOrigin(arg);
  if (origin !== undefined) return origin;
  throw new CommandFault(`"${arg}" is not an origin. Write https://drive.example.org, without a path.`);
}
