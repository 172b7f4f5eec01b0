import { Resolver } from 'node:dns/promises';
import { Agent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { SECOND } from '../../base/clock.ts';
import type { MayReach } from './push-endpoint.ts';

const RESOLVE_MS = 4 * SECOND;

/** How push services are reached. */
export interface PushNetwork {
  readonly mayReach: MayReach;
  /** Certificates of authorities, in place of the usual ones. */
  readonly ca?: string;
  /** The addresses of name servers with their ports, in place of those of the system. */
  readonly nameServers?: readonly string[];
}

/**
 * Connects only to addresses that may be reached. The address that was checked is the one that is used, so a
 * host name cannot change in between.
 */
export function openPublicAgent({ mayReach, ca, nameServers }: PushNetwork, maxSockets: number): Agent {
  // Users choose these names. The usual lookup would block a thread that files need for as long as a name
  // server keeps silent.
  const resolver = new Resolver({ timeout: RESOLVE_MS, tries: 1 });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolve(resolver, hostname).then(
      (found) => {
        const reachable = found.filter(({ address }) => mayReach(address));
        const [first] = reachable;
        if (first === undefined) callback(new Error(`${hostname} has no public address.`), '');
        else if (options.all === true) callback(null, reachable);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ''),
    );
  };
  return new Agent({ keepAlive: true, maxSockets, lookup, ...(ca !== undefined && { ca }) });
}

interface FoundAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** @throws if the name has no address of either family */
async function resolve(resolver: Resolver, hostname: string): Promise<FoundAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 as const })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 as const })) : []),
  ];
  if (found.length === 0) throw four.status === 'rejected' ? four.reason : new Error('no address');
  return found;
}
