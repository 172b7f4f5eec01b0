import { isIP } from 'node:net';

/** Where a server listens. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Reads `127.0.0.1:9464`, `[::1]:9464` or `name:9464`; undefined for anything else. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  if (text.length > 300) return undefined;
  const [, inBrackets, plain, port = ''] = /^(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = inBrackets ?? plain;
  return host === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) };
}

/** Whether the host is this machine, as it calls itself. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
