import { randomUUID } from 'node:crypto';
import path from 'node:path';

/** A Ceph with one monitor, one OSD and one gateway, all on loopback and below one directory. */
export interface CephPlan {
  readonly directory: string;
  readonly clusterId: string;
  readonly monitorPort: number;
  /** The OSD uses some of the free ports in this range. */
  readonly osdPorts: { readonly first: number; readonly count: number };
  /** Undefined uses the default of Ceph, which is Amazon's minimum. */
  readonly minPartBytes: number | undefined;
}

/** The maximum memory of all objects together. */
const MAX_MEMORY_BYTES = 4 * 1024 ** 3;

export function planCeph(plan: Omit<CephPlan, 'clusterId'>): CephPlan {
  return { clusterId: randomUUID(), ...plan };
}

/** The text of `ceph.conf`. */
export function toCephConfig(plan: CephPlan): string {
  const { directory, clusterId, monitorPort, osdPorts, minPartBytes } = plan;
  const below = (name: string) => path.join(directory, name);
  const lines: (readonly [string, string | number | boolean])[] = [
    ['fsid', clusterId],
    ['mon host', monitorAddress(monitorPort)],
    ['mon initial members', 'a'],
    ['public network', '127.0.0.0/8'],
    ['public addr', '127.0.0.1'],
    ['cluster addr', '127.0.0.1'],
    // The older protocol would need more ports.
    ['ms bind msgr1', false],
    ['ms bind port min', osdPorts.first],
    ['ms bind port max', osdPorts.first + osdPorts.count - 1],

    // On loopback the daemons need no protection, so no keys have to be created. Without keys there is no
    // encryption, which the gateway would otherwise require from the monitor.
    ['auth cluster required', 'none'],
    ['auth service required', 'none'],
    ['auth client required', 'none'],
    ['ms mon client mode', 'crc secure'],
    ['keyring', below('no-keyring')],

    ['mon data', below('mon')],
    ['osd data', below('osd')],
    ['rgw data', below('rgw')],
    ['run dir', below('run')],
    ['crash dir', below('log')],
    ['log file', below('log/$name.log')],
    // No socket, because it is not needed: its path may have at most 107 bytes, and some temporary
    // directories are longer.
    ['admin socket', ''],

    // One copy of everything, in few placement groups.
    ['osd pool default size', 1],
    ['osd pool default min size', 1],
    ['osd pool default pg num', 4],
    ['osd pool default pgp num', 4],
    ['osd pool default pg autoscale mode', 'off'],
    ['osd crush chooseleaf type', 0],
    ['mon allow pool size one', true],
    ['mon max pg per osd', 1_000],

    ['osd objectstore', 'memstore'],
    ['memstore device bytes', MAX_MEMORY_BYTES],
    ['osd memory target', 896 * 1024 ** 2],
    // The gateway updates its indexes with calls that run in the OSD. Some of them are disabled by default.
    ['osd class load list', '*'],
    ['osd class default list', '*'],
    // The monitor stops on a disk that is nearly full, although it stores very little.
    ['mon data avail warn', 1],
    ['mon data avail crit', 0],

    // Creating each pool of the gateway changes the map. By default, the monitor waits a second between two
    // changes.
    ['paxos propose interval', 0.02],
    ['paxos min wait', 0.01],
    ['mon tick interval', 1],
    ['osd heartbeat interval', 1],

    // Otherwise removed objects would occupy memory for hours.
    ['rgw gc obj min wait', 60],
    ['rgw gc processor period', 30],
    // Buckets as hosts below this name, in addition to buckets in the path.
    ['rgw dns name', 'localhost'],
  ];
  if (minPartBytes !== undefined) lines.push(['rgw multipart min part size', minPartBytes]);
  return `[global]\n${lines.map(([name, value]) => `${name} = ${value}\n`).join('')}`;
}

export function monitorAddress(port: number): string {
  return `[v2:127.0.0.1:${port}/0]`;
}
