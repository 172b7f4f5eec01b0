import { collectDefaultMetrics, Registry } from 'prom-client';

/** Starts to take the metrics of the process: memory, processor time, turns of the event loop. */
export function collectMetricsOfProcess(): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register, prefix: 'holdall_' });
  return register;
}
