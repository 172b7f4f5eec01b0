import { type Holdall, startHoldall } from '../app/holdall.ts';
import { startProvider, type TestProvider } from '../sign-on/test-provider.ts';
import { withoutDirect } from '../storage/change-policy.ts';
import type { Scene } from './fault-case.ts';
import { FaultScope } from './fault-scope.ts';

/** The single sign-on provider that all scenes share. */
const provider: TestProvider = await startProvider();

/** Disables limits and workers, and enables the developer login, so every route can be called at any rate. */
export const FAULT_ENVIRONMENT = {
  ...provider.env({ HOLDALL_OIDC_REGISTER: 'on' }),
  HOLDALL_RATE_LIMITS: 'off',
  HOLDALL_WORKER_CONCURRENCY: '0',
  HOLDALL_DEV_LOGIN: 'true',
  HOLDALL_ACCESS_TOKEN_TTL: '10d',
};

export async function createScene(
  options: { readonly isDirect?: boolean; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<{ scene: Scene; scope: FaultScope }> {
  const holdall = await startHoldall({ env: { ...FAULT_ENVIRONMENT, ...options.env } });
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
