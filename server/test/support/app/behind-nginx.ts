import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after } from 'node:test';
import { type Nginx, startNginx } from '../../../../tools/nginx.ts';

const EXAMPLE = path.join(import.meta.dirname, '..', '..', '..', '..', 'deploy', 'nginx.conf');

export interface BehindNginx {
  /** Addresses of the instances. */
  readonly upstreamPorts: readonly number[];
  readonly dataDir: string;
  readonly secret: string;
  /** The port of nginx, for callers that had to know it in advance. */
  readonly port?: number;
}

/**
 * Starts nginx with the project's example configuration. Only names and, for lack of a certificate, the TLS lines are
 * replaced. It stops with the test file (or the surrounding `describe`).
 */
export async function startExampleNginx(options: BehindNginx): Promise<Nginx> {
  const example = await readFile(EXAMPLE, 'utf8');
  const nginx = await startNginx(({ port }) => adapt(example, options, port), options.port);
  after(() => nginx.stop());
  return nginx;
}

/**
 * Lines of the log about responses and requests in temporary files. The files themselves are unlinked while
 * in use.
 */
export async function listBuffered(of: Nginx): Promise<readonly string[]> {
  return (await of.readErrors()).split('\n').filter((line) => line.includes('buffered to a temporary file'));
}

function adapt(example: string, { upstreamPorts, dataDir, secret }: BehindNginx, port: number): string {
  const changes: readonly (readonly [pattern: RegExp, replacement: string])[] = [
    [/^ *listen 443 ssl.*;$/m, `listen 127.0.0.1:${port};`],
    [/^ *ssl_certificate(?:_key)? .*;$/gm, ''],
    [
      /^ *server 127\.0\.0\.1:8080 (.*;)$/m,
      upstreamPorts.map((each) => `server 127.0.0.1:${each} $1`).join('\n'),
    ],
    [/(?<=^ *access_log )\S+(?= holdall;)/m, 'access.log'],
    [/(?<=^ *secure_link_md5 .*)\bSECRET\b/m, secret],
    [/(?<=^ *alias )\/var\/lib\/holdall(?=\/)/gm, dataDir],
  ];
  let config = example;
  for (const [pattern, replacement] of changes) {
    const changed = config.replace(pattern, replacement);
    assert.notEqual(changed, config, `deploy/nginx.conf holds no ${pattern}`);
    config = changed;
  }
  return config;
}
