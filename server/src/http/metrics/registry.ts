import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Metric } from '../../base/metrics/metric.ts';

/** Starts to take the metrics of the process, such as memory and processor time, and adds the others. */
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
      // One that cannot be read, or has a value that is refused, must not take the others away.
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

/** A reset sets a metric without labels to 0, which would be a value that nobody has read. */
function forgetValues(metric: Gauge | Counter, labelNames: readonly string[]): void {
  metric.reset();
  if (labelNames.length === 0) metric.remove();
}
