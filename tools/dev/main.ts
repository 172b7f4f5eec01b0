// npm run dev
//
// Runs the service and the web client from their sources at one address. The service restarts when one of its
// files changes. Vite serves the pages and modules of the web client, and replaces changed modules in open
// pages. Icons and document frames come from the built client, through the service.
import { type Config, readConfig } from '../../server/src/config/config.ts';
import { buildWeb, isWebBuilt } from '../build/build-web.ts';
import { findFreePorts } from '../processes/free-ports.ts';
import { startDevServer } from './dev-server.ts';
import { Service } from './service.ts';

try {
  await run(readConfig(process.env));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}

async function run(config: Config): Promise<void> {
  if (!isWebBuilt()) {
    process.stdout.write('Building the web client for its icons and document frames …\n');
    buildWeb();
  }
  const servicePort = await findFreePorts(1);
  const { publicUrl, host, port } = config;
  const publicHosts = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  let service: Service | undefined;
  // Started first, because the service needs to know the address.
  const devServer = await startDevServer({
    host,
    port,
    allowedHosts: [host, ...publicHosts],
    servicePort,
    onServiceChange: () => service?.start(),
  });
  const started = new Service(
    {
      HOLDALL_HOST: '127.0.0.1',
      HOLDALL_PORT: String(servicePort),
      HOLDALL_PUBLIC_URL: publicUrl ?? devServer.origin,
      HOLDALL_TRUST_PROXY: trustOneMore(config.trustProxy),
    },
    // The service prints its own address, which no one should open.
    (line) =>
      process.stdout.write(`${line.replaceAll(`http://127.0.0.1:${servicePort}`, devServer.origin)}\n`),
  );
  service = started;
  started.start();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void started.stop().then(() => devServer.close()));
  }
}

/** Adds this program to the proxies that the service trusts. */
function trustOneMore(proxies: Config['trustProxy']): string {
  return typeof proxies === 'number' ? String(proxies + 1) : [...proxies, '127.0.0.1'].join(',');
}
