import type { Requester } from '../../base/network/requester-key.ts';
import type { Tx } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import type { Instance } from '../../instance/contract.ts';
import type { InstanceIdentity } from '../../instance/instance.ts';
import type { AuditedActions } from '../audited-actions.ts';
import type { InstanceBody } from './contract.ts';

interface AdminInstanceParts {
  readonly identity: InstanceIdentity;
  readonly actions: AuditedActions;
}

/** Changes how the instance presents itself. */
export class AdminInstance {
  readonly #parts: AdminInstanceParts;

  constructor(parts: AdminInstanceParts) {
    this.#parts = parts;
  }

  /** @throws Failure `invalid` */
  setTexts(caller: Caller, texts: InstanceBody): Promise<Instance> {
    return this.#change(caller, 'Changed the name or the greeting.', (tx) =>
      this.#parts.identity.setTexts(tx, texts),
    );
  }

  /** @throws Failure `unsupported` if the bytes are not a picture */
  async setLogo(
    caller: Caller,
    bytes: Buffer,
    from: { readonly requester: Requester; readonly signal: AbortSignal },
  ): Promise<Instance> {
    const { identity } = this.#parts;
    const logo = await identity.toLogo(bytes, from.requester, from.signal);
    return this.#change(caller, 'Changed the logo.', (tx) => identity.setLogo(tx, logo));
  }

  deleteLogo(caller: Caller): Promise<Instance> {
    return this.#change(caller, 'Removed the logo.', (tx) => this.#parts.identity.setLogo(tx, null));
  }

  #change(caller: Caller, summary: string, work: (tx: Tx) => Promise<void>): Promise<Instance> {
    const { identity, actions } = this.#parts;
    return actions.perform(caller, async (tx) => {
      const before = await identity.get(tx);
      await work(tx);
      const after = await identity.get(tx);
      const target = { targetType: 'SETTING', targetId: null, target: 'instance' } as const;
      const details = { before, after };
      return { result: after, entry: { action: 'UPDATE_INSTANCE', ...target, summary, details } };
    });
  }
}
