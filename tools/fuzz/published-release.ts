import type { App } from '../../server/src/app/app.ts';
import { nameRelease } from '../../server/src/releases/releases.ts';
import { packageOf } from '../../server/test/support/zip/android-package.ts';
import type { KnownValues } from './requests/known-values.ts';

/** Publishes a package for phones. Outside this process, only the command line can do that. */
export async function publishRelease({ releases }: App, known: KnownValues): Promise<void> {
  const name = nameRelease('fuzz', '1.0.0', 1);
  const published = (await releases.list()).some(({ versionCode }) => versionCode === name.versionCode);
  const content = async function* () {
    yield packageOf();
  };
  if (!published) await releases.publish(name, content(), { alsoDo: async () => {} });
  known.add('release', 'anonymous', { ...name });
}
