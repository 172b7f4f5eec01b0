// The configuration deploy/nginx.conf for a service on this machine.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Certificate } from './certificate.ts';

const EXAMPLE = path.join(import.meta.dirname, '..', '..', 'deploy', 'nginx.conf');

export interface Example {
  /** The ports of the instances. */
  readonly upstreamPorts: readonly number[];
  readonly dataDir: string;
  /** With it nginx speaks TLS, and HTTP/2. */
  readonly certificate?: Certificate;
}

/**
 * Replaces the names in the configuration and, where there is no certificate, the lines about TLS.
 * @param port of nginx on 127.0.0.1
 * @throws Error if the file has no such line any more
 */
export function toExampleConfig(example: Example, port: number): string {
  const { upstreamPorts, dataDir, certificate } = example;
  const changes: Changes = [
    ...(certificate === undefined ? withoutTls(port) : withTls(port, certificate)),
    [
      /^ *server 127\.0\.0\.1:8080 (.*;)$/m,
      upstreamPorts.map((each) => `server 127.0.0.1:${each} $1`).join('\n'),
    ],
    [/(?<=^ *access_log )\S+(?= holdall;)/m, 'access.log'],
    [/(?<=^ *alias )\/var\/lib\/holdall(?=\/)/gm, dataDir],
  ];
  let config = readFileSync(EXAMPLE, 'utf8');
  for (const [pattern, replacement] of changes) {
    const changed = config.replace(pattern, replacement);
    if (changed === config) throw new Error(`deploy/nginx.conf has no ${pattern}`);
    config = changed;
  }
  return config;
}

type Changes = readonly (readonly [pattern: RegExp, replacement: string])[];

function withoutTls(port: number): Changes {
  return [
    [/^ *listen 443 ssl.*;$/m, `listen 127.0.0.1:${port};`],
    [/^ *ssl_certificate(?:_key)? .*;$/gm, ''],
  ];
}

function withTls(port: number, { certificateFile, keyFile }: Certificate): Changes {
  return [
    [/^ *listen 443 (ssl.*;)$/m, `listen 127.0.0.1:${port} $1`],
    [/^ *ssl_certificate .*;$/m, `ssl_certificate ${certificateFile};`],
    [/^ *ssl_certificate_key .*;$/m, `ssl_certificate_key ${keyFile};`],
  ];
}
