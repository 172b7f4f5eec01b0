import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Metric } from '../../base/metrics/metric.ts';

/** Starts collecting process metrics, such as memory and processor time, and adds the given metrics. */
export function createRegistry(metrics: readonly Metric[]): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register, prefix: 'holdall_' });
  for (const metric of metrics) addMetric(register, metric);
  return register;
}

function addMetric(register: Registry, { name, help, type, labelNames = [], read }: Metric): void {
  const options = { name, help, labelNames: [...labelNames], registers: [register] };
  const collect = async (
    forget: () => void,
    put: (labels: Record<string, string>, value: number) => void,
  ) => {
    try {
      const samples = await read();
      forget();
      for (const { labels = {}, value } of samples) put({ ...labels }, value);
    } catch {
      // If one metric cannot be read or has an invalid value, the others must still be shown.
      forget();
    }
  };
  if (type === 'gauge') {
    const gauge: Gauge = new Gauge({
      ...options,
      collect: () => collect(forget, (labels, value) => gauge.set(labels, value)),
    });
    const forget = () => forgetValues(gauge, labelNames);
  } else {
    const counter: Counter = new Counter({
      ...options,
      collect: () => collect(forget, (labels, value) => counter.inc(labels, value)),
    });
    const forget = () => forgetValues(counter, labelNames);
  }
}

/** Also removes a metric without labels: its reset sets it to 0, a value that was never read. */
function forgetValues(metric: Gauge | Counter, labelNames: readonly string[]): void {
  metric.reset();
  if (labelNames.length === 0) metric.remove();
}
