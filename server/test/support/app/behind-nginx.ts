import { after } from 'node:test';
import { type Example, toExampleConfig } from '../../../../tools/programs/example-nginx.ts';
import { type Nginx, startNginx } from '../../../../tools/programs/nginx.ts';

interface BehindNginx extends Example {
  /** The port of nginx, for callers that had to know it in advance. */
  readonly port?: number;
  /** Directives of the `http` block, as an operator's own configuration may have them. */
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
 * Lines of the log about responses and requests in temporary files. The files themselves are unlinked while
 * in use.
 */
export async function listBuffered(of: Nginx): Promise<readonly string[]> {
  return (await of.readErrors()).split('\n').filter((line) => line.includes('buffered to a temporary file'));
}
