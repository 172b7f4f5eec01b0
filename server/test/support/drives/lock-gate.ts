import type { TestContext } from 'node:test';
import type { DriveUser } from '../../../src/drives/drives.ts';
import type { Holdall } from '../app/holdall.ts';

/** Holds changes just before they lock the drive or check the role, after all checks that come earlier. */
export interface LockGate {
  /** Resolves when this many changes wait at the gate. */
  reached(count?: number): Promise<void>;
  /** Lets the waiting changes and all later ones pass. */
  open(): void;
}

/** @param holds whether a change of this account in this drive waits at the gate */
export function closeLockGate(
  context: TestContext,
  instances: readonly Holdall[],
  holds: (user: { readonly driveId: number; readonly accountId: number | null }) => boolean,
): LockGate {
  const opened = Promise.withResolvers<void>();
  let count = 0;
  const waiters: (() => void)[] = [];
  for (const {
    app: { drives },
  } of new Set(instances)) {
    const pass = async (user: DriveUser) => {
      if (!holds(user)) return;
      count += 1;
      for (const wake of waiters) wake();
      await opened.promise;
    };
    const lock = drives.withDriveLock.bind(drives);
    const heldLock: typeof drives.withDriveLock = async (user, ...rest) => {
      await pass(user);
      return lock(user, ...rest);
    };
    context.mock.method(drives, 'withDriveLock', heldLock);
    const check = drives.withRole.bind(drives);
    const heldCheck: typeof drives.withRole = async (user, work) => {
      await pass(user);
      return check(user, work);
    };
    context.mock.method(drives, 'withRole', heldCheck);
  }
  return {
    reached: (wanted = 1) =>
      new Promise((resolve) => {
        const wake = () => {
          if (count >= wanted) resolve();
        };
        waiters.push(wake);
        wake();
      }),
    open: () => opened.resolve(),
  };
}
