/** What is used of the package, which has no types of its own. */
declare module 'parse-prometheus-text-format' {
  export interface PrometheusFamily {
    readonly name: string;
    readonly help: string;
    readonly type: string;
    readonly metrics: readonly {
      readonly value?: string;
      readonly labels?: Readonly<Record<string, string>>;
    }[];
  }
  export default function parse(text: string): PrometheusFamily[];
}
