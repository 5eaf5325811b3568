/**
 * Names by which published pages call a client that Tare knows. Exact after normalising, and never guessed: a wrong client's definitions
 * are worse than none. A client that is a runner of scripts (k6, locust) is known as the runner; what its script measures is the script's.
 */

/** Adapter → the ways in which it is written. Each normalised alias belongs to one adapter (a test holds this). */
export const CLIENT_ALIASES: Readonly<Record<string, readonly string[]>> = {
  tare: ['tare', 'tare load', 'tare-multi'],
  'tare-burn': ['tare-burn'],
  asyncio: ['asyncio', 'tare asyncio', 'asyncio script of Tare', "Tare's asyncio script"],
  vllm: [
    'vllm',
    'vllm bench',
    'vllm bench serve',
    'vllm benchmark',
    'vllm bench (Python)',
    'vllm benchmark_serving.py',
    'benchmark_serving.py',
    'benchmarks/benchmark_serving.py',
    'vllm/benchmarks/benchmark_serving.py',
    'vllm/benchmarks/serve.py',
  ],
  'vllm-rs': ['vllm-rs', 'vllm-rs bench', 'vllm-rs bench serve', 'vllm bench (Rust)'],
  sglang: [
    'sglang',
    'sglang bench',
    'sglang bench_serving',
    'sglang.bench_serving',
    'python -m sglang.bench_serving',
    'python3 -m sglang.bench_serving',
    'sglang bench (Python)',
  ],
  'sglang-rs': ['sglang-rs', 'sglang bench (Rust)'],
  'inference-x': [
    'inference-x',
    'InferenceX',
    'Inference X',
    'InferenceMAX',
    'InferenceX benchmark_serving.py',
    'InferenceMAX benchmark_serving.py',
    'utils/bench_serving/benchmark_serving.py',
  ],
  aiperf: ['aiperf', 'NVIDIA AIPerf', 'aiperf profile', 'NVIDIA Dynamo AIPerf', 'ai-dynamo/aiperf'],
  k6: ['k6', 'Grafana k6', 'k6.io', 'xk6-sse', 'k6 run'],
  'genai-perf': [
    'genai-perf',
    'GenAI Perf',
    'NVIDIA GenAI-Perf',
    'genai-perf profile',
    'Triton GenAI-Perf',
    'genai-perf (perf_analyzer)',
  ],
  'inference-perf': ['inference-perf', 'kubernetes-sigs/inference-perf'],
  locust: ['locust', 'locust.io'],
  'locust-fast': ['locust-fast', 'locust FastHttpUser'],
  'locust-2p': ['locust-2p'],
  vegeta: ['vegeta', 'vegeta attack', 'tsenart/vegeta'],
  guidellm: ['guidellm', 'GuideLLM', 'guidellm benchmark', 'vllm-project/guidellm', 'neuralmagic/guidellm'],
  oha: ['oha', 'hatoo/oha'],
  autocannon: ['autocannon', 'mcollina/autocannon'],
};

/** Case, and blanks, hyphens and underscores for each other, do not tell clients apart; nothing else is levelled. */
export const normalName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[‐‑–—]/g, '-')
    .replace(/[\s_-]+/g, '-')
    .replace(/^-+|-+$/g, '');

const BY_ALIAS: ReadonlyMap<string, string> = new Map(
  Object.entries(CLIENT_ALIASES).flatMap(([adapter, aliases]) =>
    aliases.map((alias) => [normalName(alias), adapter] as const),
  ),
);

/** The adapter that a claim's name of its client means; null where no alias is exactly that. */
export const adapterNamed = (name: string): string | null => BY_ALIAS.get(normalName(name)) ?? null;
