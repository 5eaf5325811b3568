/** Public reports as addresses: `vllm#3759` is an issue or a pull request of vllm-project/vllm. */

const REPOSITORIES: Readonly<Record<string, string>> = {
  aiperf: 'ai-dynamo/aiperf',
  autocannon: 'mcollina/autocannon',
  guidellm: 'vllm-project/guidellm',
  'inference-perf': 'kubernetes-sigs/inference-perf',
  k6: 'grafana/k6',
  llmperf: 'ray-project/llmperf',
  locust: 'locustio/locust',
  oha: 'hatoo/oha',
  sglang: 'sgl-project/sglang',
  'tt-inference-server': 'tenstorrent/tt-inference-server',
  vegeta: 'tsenart/vegeta',
  vllm: 'vllm-project/vllm',
};

/** The address of a report, or null where its words name no repository that is known. GitHub leads from issue to pull request. */
export function reportAddress(report: string): string | null {
  const found = /^([\w-]+) ?(PR)?#(\d+)$/.exec(report);
  const repository = REPOSITORIES[found?.[1] ?? ''];
  return found === null || repository === undefined
    ? null
    : `https://github.com/${repository}/${found[2] === 'PR' ? 'pull' : 'issues'}/${found[3]}`;
}
