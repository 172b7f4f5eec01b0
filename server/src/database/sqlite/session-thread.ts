import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from './open-connection.ts';
import { LocalSession, type StatementResult } from './session.ts';
import type { ThreadAnswer, ThreadRequest } from './thread-messages.ts';

/*
 * The thread of a `ThreadedSession`: runs its requests on its own connection, one after another.
 */

const NOTHING: StatementResult = { rows: [], changes: undefined };

const port = parentPort;
if (port === null) throw new Error('This module runs only as a thread.');
const session = new LocalSession(openConnection(String(workerData)));

port.on('message', (request: ThreadRequest) => {
  port.postMessage(answer(request));
  // The thread ends once no port is listening.
  if (request.kind === 'close') port.close();
});

function answer(request: ThreadRequest): ThreadAnswer {
  try {
    return run(request);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // A cloned error would lose its code.
    return { error: { message: error.message, code: 'code' in error ? String(error.code) : undefined } };
  }
}

function run(request: ThreadRequest): StatementResult {
  switch (request.kind) {
    case 'execute':
      return session.execute(request.sql, request.parameters);
    case 'begin':
      session.begin(request.isReadOnly);
      return NOTHING;
    case 'checkpoint':
      return { rows: [session.checkpoint(request.mode)], changes: undefined };
    default:
      session[request.kind]();
      return NOTHING;
  }
}
