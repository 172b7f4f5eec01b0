import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { needPrograms } from './debian-packages.ts';

// The configuration deploy/nginx.conf for a service on this machine.

const EXAMPLE = path.join(import.meta.dirname, '..', '..', 'deploy', 'nginx.conf');

export interface Example {
  /** The ports of the instances. */
  readonly upstreamPorts: readonly number[];
  readonly dataDir: string;
  /** If present, nginx uses TLS and HTTP/2. */
  readonly certificate?: Certificate;
}

/**
 * Replaces the names in the configuration and, without a certificate, the lines about TLS.
 * @param port the port of nginx on 127.0.0.1
 * @throws Error if the file no longer contains one of the lines
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

interface Certificate {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/**
 * Creates a self-signed certificate for 127.0.0.1 in files of the directory.
 * @throws Error with one sentence if openssl is missing and cannot be installed
 */
export async function makeCertificate(directory: string): Promise<Certificate> {
  await needPrograms(['openssl'], ['openssl']);
  const certificateFile = path.join(directory, 'certificate.pem');
  const keyFile = path.join(directory, 'key.pem');
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'],
    ...['-keyout', keyFile, '-out', certificateFile],
  ]);
  return { certificateFile, keyFile };
}
