import path from 'node:path';
import type { Leftovers } from '../../processes/leftovers.ts';
import { ListeningProgram } from '../../processes/listening-program.ts';

export const INVITE_CODE = 'DEMO-INVITE';

/** Starts the service with a directory below the given one. */
export async function startOwnService(
  entry: string,
  workDirectory: string,
  leftovers: Leftovers,
): Promise<ListeningProgram> {
  const program = await ListeningProgram.start({
    script: entry,
    environment: {
      HOLDALL_PORT: '0',
      HOLDALL_DATA_DIR: path.join(workDirectory, 'data'),
      HOLDALL_LOG_LEVEL: 'warn',
      HOLDALL_INVITE_CODE: INVITE_CODE,
      HOLDALL_ADMIN_PASSWORD: 'demo-admin-passphrase',
    },
  });
  leftovers.add(() => program.kill());
  return program;
}
