import type { IceServer } from '../connection/peer-connection.ts';
import type { TransferCalls } from './transfer-calls.ts';

/** The servers, with credentials for relays that belong to the session. @throws HoldallError */
export async function findIceServers(calls: TransferCalls, sessionId: string): Promise<IceServer[]> {
  const { iceServers } = await calls.iceServers(sessionId);
  return iceServers.map(({ urls, username, credential }) => ({
    urls: [...urls],
    ...(username === undefined ? {} : { username }),
    ...(credential === undefined ? {} : { credential }),
  }));
}
