import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Makes the families of a registry. */
export function familiesIn(registry: Registry) {
  const registers = [registry];
  return {
    counter: <Label extends string = string>(name: string, help: string, labelNames: readonly Label[] = []) =>
      new Counter<Label>({ name, help, labelNames, registers }),
    gauge: <Label extends string = string>(name: string, help: string, labelNames: readonly Label[] = []) =>
      new Gauge<Label>({ name, help, labelNames, registers }),
    histogram: <Label extends string = string>(
      name: string,
      help: string,
      buckets: number[],
      labelNames: readonly Label[] = [],
    ) => new Histogram<Label>({ name, help, labelNames, buckets, registers }),
    /** A gauge that all processes read from the database at each scrape, so the highest value is the value; NaN without a database. */
    sharedGauge: (name: string, help: string, read: () => Promise<number>) =>
      new Gauge({
        name,
        help,
        registers,
        aggregator: 'max',
        async collect() {
          this.set(await read().catch(() => Number.NaN));
        },
      }),
  };
}
