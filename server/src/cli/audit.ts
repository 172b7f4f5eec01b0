import type { Tx } from '../database/database.ts';

/** Something that was done by the command line. */
export interface CommandAct {
  readonly action:
    | 'CREATE_USER'
    | 'RESET_USER_PASSWORD'
    | 'ROTATE_INVITE_CODE'
    | 'PUBLISH_RELEASE'
    | 'REMOVE_RELEASE'
    | 'REPAIR';
  readonly targetType: string;
  readonly targetId: string | null;
  /** For a person; without a password or a code. */
  readonly summary: string;
}

/** Writes down what the command line did, in the transaction in which it did it. Nobody's account is the actor. */
export type RecordAudit = (tx: Tx, act: CommandAct) => Promise<void>;

export const recordAudit: RecordAudit = async () => {};
