import { findFreePorts } from '../../../../tools/processes/free-ports.ts';
import { type Holdall, startHoldall } from '../app/holdall.ts';
import { MAIL_ENVIRONMENT } from '../mail/letters.ts';
import { startProvider, type TestProvider } from '../sign-on/test-provider.ts';
import { withoutDirect } from '../storage/change-policy.ts';
import type { Scene } from './fault-case.ts';
import { FaultScope } from './fault-scope.ts';

/** The single sign-on provider that all scenes share. */
const provider: TestProvider = await startProvider();

/**
 * Disables limits and workers, and enables mail and the developer login, so every route can be called at any
 * rate.
 */
export async function newFaultEnvironment(): Promise<Readonly<Record<string, string>>> {
  const port = await findFreePorts(1);
  return {
    ...provider.env({ HOLDALL_OIDC_REGISTER: 'on' }),
    ...MAIL_ENVIRONMENT,
    // Passkeys and single sign-on work only at the public address.
    HOLDALL_PORT: String(port),
    HOLDALL_PUBLIC_URL: `http://127.0.0.1:${port}`,
    HOLDALL_RATE_LIMITS: 'off',
    HOLDALL_WORKER_CONCURRENCY: '0',
    HOLDALL_DEV_LOGIN: 'true',
    HOLDALL_ACCESS_TOKEN_TTL: '10d',
  };
}

export async function createScene(
  options: { readonly isDirect?: boolean; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<{ scene: Scene; scope: FaultScope }> {
  const holdall = await startHoldall({ env: { ...(await newFaultEnvironment()), ...options.env } });
  const scope = new FaultScope(() => Number(new URL(holdall.url).port));
  return { scene: await populate(holdall, options.isDirect ?? false), scope };
}

/** @param isDirect whether the clients may send bytes to the object store directly */
export async function populate(holdall: Holdall, isDirect: boolean): Promise<Scene> {
  provider.admitClients(holdall.url);
  if (!isDirect) await withoutDirect(holdall);
  const [alice, bob] = [await holdall.register('alice'), await holdall.register('bob')];
  return { holdall, alice, bob, admin: await holdall.admin(), isDirect };
}
