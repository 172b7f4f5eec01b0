import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { needPrograms } from './debian-packages.ts';

export interface Certificate {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/**
 * Makes a certificate for 127.0.0.1 that nobody has signed, in files of that directory.
 * @throws Error with one sentence if openssl is not installed and cannot be installed
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
