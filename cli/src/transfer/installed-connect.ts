import { createRequire } from 'node:module';
import type { Connect } from '../../../client/src/client.ts';
import { connectWith, type NodeDataChannel } from '../../../client/src/node/files.ts';

/**
 * Direct connections through the optional package `node-datachannel`; undefined if it is not installed for
 * this system. Loaded only when needed, because its native part has several megabytes.
 */
export function findInstalledConnect(): Connect | undefined {
  try {
    const library: NodeDataChannel = createRequire(import.meta.url)('node-datachannel');
    return connectWith(library);
  } catch {
    return undefined;
  }
}
