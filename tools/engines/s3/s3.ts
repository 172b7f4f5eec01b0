// A real S3 store, Ceph's RADOS Gateway: fresh, in memory, removed when it stops. It checks every signature.
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { CleanupProcess } from '../../processes/cleanup-process.ts';
import { needPrograms } from '../../programs/debian-packages.ts';
import { type S3Settings, toClient } from './s3-client.ts';
import { S3Cluster, type S3Options } from './s3-cluster.ts';

interface S3 {
  readonly settings: S3Settings;
  /** Simulates an outage: from now on the port refuses connections. Stored objects stay. */
  stopGateway(): Promise<void>;
  startGateway(): Promise<void>;
  /** Stops everything; may be called repeatedly. */
  stop(): Promise<void>;
}

/**
 * @throws Error with one sentence if it is missing and cannot be installed; with its logs if it does not
 *   start
 */
export async function needS3(): Promise<void> {
  await needPrograms(
    ['ceph', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin'],
    ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common'],
  );
}

/** @throws Error as {@link needS3} */
export async function startS3(options: S3Options = {}): Promise<S3> {
  await needS3();
  const directory = await mkdtemp(path.join(tmpdir(), 'holdall-s3-'));
  const cleanup = new CleanupProcess(directory);
  try {
    const user = {
      accessKeyId: randomBytes(10).toString('hex'),
      secretAccessKey: randomBytes(20).toString('hex'),
    };
    const cluster = await S3Cluster.start(directory, cleanup, user, options);
    const settings = {
      endpoint: cluster.endpoint,
      region: 'us-east-1',
      bucket: `holdall-${randomBytes(4).toString('hex')}`,
      ...user,
      forcePathStyle: true,
    } as const;
    await createBucket(settings);
    return {
      settings,
      stopGateway: () => cluster.stopGateway(),
      startGateway: () => cluster.startGateway(),
      stop: () => cleanup.run(),
    };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

async function createBucket(settings: S3Settings): Promise<void> {
  const client = toClient(settings);
  try {
    await client.send(new CreateBucketCommand({ Bucket: settings.bucket }));
  } finally {
    client.destroy();
  }
}
