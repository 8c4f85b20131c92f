/** How old a response of a page may be, in milliseconds. */
export interface PageAges {
  /** Of /metrics, which is made for all processes. */
  readonly metrics: number;
  /** Of the result of /readyz. */
  readonly ready: number;
}

export const pageAges: PageAges = { metrics: 1_000, ready: 500 };
