// tier: full
// runs on: sqlite
// needs: build
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newHome, start, stop } from '../../server/test/support/app/main-program.ts';
import { findFreePorts } from '../../tools/processes/free-ports.ts';
import { type DriveEvent, Holdall } from '../src/client.ts';

/** Reads the next event of the drive. After an interruption, the stream also says that drives may differ. */
async function next(events: AsyncGenerator<DriveEvent>): Promise<DriveEvent> {
  const { value } = await events.next();
  assert.ok(value, 'the events have ended');
  return value.kind === 'drives' || value.kind === 'notifications' ? await next(events) : value;
}

describe('the events of a drive', () => {
  test('resume after the service was killed and restarted', async () => {
    const home = { ...(await newHome()), HOLDALL_DEV_LOGIN: 'true' };
    // Below the ephemeral range, so that no other program gets it between the two starts.
    const HOLDALL_PORT = String(await findFreePorts(1));
    const first = await start({ ...home, HOLDALL_PORT });
    const holdall = new Holdall({ url: first.url });
    await holdall.auth.devLogIn({ username: 'watcher' });
    const events = holdall.events.watch();
    assert.equal((await next(events)).kind, 'ready');
    await holdall.drive.makeDirectory('/before');
    assert.equal((await next(events)).kind, 'change');
    const waiting = next(events);
    await stop(first, 'SIGKILL');
    const second = await start({ ...home, HOLDALL_PORT });
    await holdall.drive.makeDirectory('/after');
    const event = await waiting;
    assert.ok(event.kind === 'change');
    assert.equal(event.change.toPath, '/after');
    await events.return();
    await stop(second);
  });
});
