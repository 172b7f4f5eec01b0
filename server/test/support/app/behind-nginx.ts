import { after } from 'node:test';
import { type Example, toExampleConfig } from '../../../../tools/programs/example-nginx.ts';
import { type Nginx, startNginx } from '../../../../tools/programs/nginx.ts';

interface BehindNginx extends Example {
  /** The port of nginx, for callers that must know it in advance. */
  readonly port?: number;
  /** Additional directives for the `http` block, as an operator might configure them. */
  readonly surrounding?: string;
}

/**
 * Starts nginx with the project's example configuration. It stops with the test file (or the surrounding `describe`).
 */
export async function startExampleNginx(options: BehindNginx): Promise<Nginx> {
  const { port, surrounding = '' } = options;
  const nginx = await startNginx((site) => `${surrounding}\n${toExampleConfig(options, site.port)}`, {
    port,
  });
  after(() => nginx.stop());
  return nginx;
}

/**
 * Log lines about responses and requests buffered in temporary files. Reads the log, because nginx unlinks
 * the files while they are in use.
 */
export async function listBuffered(of: Nginx): Promise<readonly string[]> {
  return (await of.readErrors()).split('\n').filter((line) => line.includes('buffered to a temporary file'));
}
