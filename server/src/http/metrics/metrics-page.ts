import type { Registry } from 'prom-client';
import type { DurationHistogram } from '../../base/metrics/duration-histogram.ts';
import type { Metric } from '../../base/metrics/metric.ts';

/**
 * All metrics in Prometheus' text format. The library that measures the process is loaded when they are first
 * requested, so the process metrics begin at that time.
 */
export class MetricsPage {
  readonly #metrics: readonly Metric[];
  readonly #histograms: readonly DurationHistogram[];
  #registry: Promise<Registry> | undefined;

  constructor(metrics: readonly Metric[], histograms: readonly DurationHistogram[]) {
    this.#metrics = metrics;
    this.#histograms = histograms;
  }

  async render(): Promise<{ readonly contentType: string; readonly text: string }> {
    this.#registry ??= import('./registry.ts').then(({ createRegistry }) => createRegistry(this.#metrics));
    const registry = await this.#registry;
    const texts = [await registry.metrics(), ...this.#histograms.map((each) => each.toText())];
    return {
      contentType: registry.contentType,
      text: `${texts.map((text) => text.trimEnd()).join('\n\n')}\n`,
    };
  }
}
