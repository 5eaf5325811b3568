/** The summary of a run: what such a client prints. Times in ms. */

function quantile(sorted, p) {
  const at = p * (sorted.length - 1);
  const low = Math.floor(at);
  return sorted[low] + (sorted[Math.ceil(at)] - sorted[low]) * (at - low);
}

function figuresOf(values, none) {
  if (values.length === 0) return { mean: none, p50: none, p90: none, p99: none, n: 0 };
  const sorted = values.toSorted((a, b) => a - b);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    mean,
    p50: quantile(sorted, 0.5),
    p90: quantile(sorted, 0.9),
    p99: quantile(sorted, 0.99),
    n: values.length,
  };
}

const present = (values) => values.filter((value) => value !== null && Number.isFinite(value));

/** Sums up the records of a run that began at `began`. */
export function summaryOf(all, began, has) {
  const records = has('one-token-dropped') ? all.filter(({ ok, tokens }) => !ok || tokens > 1) : all;
  const done = records.filter(({ ok }) => ok);
  const failed = records.filter(({ ok }) => !ok);
  const zeros = has('failed-as-zero') ? failed.map(() => 0) : [];
  const none = has('zero-for-none') ? 0 : null;
  const less = has('tpot-without-minus-one') ? 0 : 1;
  const tpot = done.map(({ ttft, e2e, tokens }) =>
    ttft === null || tokens <= 1 ? null : (e2e - ttft) / (tokens - less),
  );
  const seconds = (Math.max(began, ...done.map(({ end }) => end)) - began) / 1000;
  const of = (values) => figuresOf([...present(values), ...zeros], none);
  return {
    completed: done.length,
    failed: has('failures-uncounted') ? 0 : failed.length,
    tokens: done.reduce((sum, { tokens }) => sum + tokens, 0),
    seconds,
    rate: seconds > 0 ? done.length / seconds : 0,
    ttft: of(done.map(({ ttft }) => ttft)),
    itl: of(done.flatMap(({ itl }) => itl)),
    tpot: of(tpot),
    ntpot: of(done.map(({ e2e, tokens }) => (tokens > 0 ? e2e / tokens : null))),
    e2e: of(done.map(({ e2e }) => e2e)),
  };
}
