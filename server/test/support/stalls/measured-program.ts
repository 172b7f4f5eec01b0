// Holdall in a separate process that measures its event loop, for `MeasuredService`.
import { EventLoopProbe } from '../../../../tools/fuzz/service/event-loop-probe.ts';
import { createApp } from '../../../src/app/app.ts';
import { readConfig } from '../../../src/config/config.ts';

const app = await createApp(readConfig(process.env));
const probe = new EventLoopProbe();
process.on('message', (message) => {
  if (message === 'start') probe.start();
  process.send?.(probe.stop().blockMs);
});
process.send?.(await app.listen());
