/** What locust measures with our locustfile.py, and where that was read: in locust's source, or in the locustfile itself. */
import type { ClientFacts, Fact } from '../contract.ts';
import type { UserClass } from './prepare.ts';
import { LOCUST_VERSION } from './setup.ts';

/** The variants of locust that an audit knows. */
export interface Variant {
  readonly name: string;
  readonly title: string;
  readonly userClass: UserClass;
  /** Processes that send, where `--workers` does not say. */
  readonly processes: number;
}

export const HTTP: Variant = {
  name: 'locust',
  title: 'locust (HttpUser: requests)',
  userClass: 'HttpChat',
  processes: 1,
};

export const FAST: Variant = {
  name: 'locust-fast',
  title: 'locust (FastHttpUser: geventhttpclient)',
  userClass: 'FastHttpChat',
  processes: 1,
};

export const FAST_TWO: Variant = {
  name: 'locust-2p',
  title: 'locust (FastHttpUser, --processes 2)',
  userClass: 'FastHttpChat',
  processes: 2,
};

const FILE = 'adapters/locust/locustfile.py';

const common: readonly Fact[] = [
  {
    about: 't0',
    what: 'the clock starts when a user’s turn has come and its greenlet runs: before the connection is had, after the schedule’s lag',
    where: `${FILE} Chat.send(): start_ns, before client.post`,
  },
  {
    about: 'ttft',
    what: 'locust knows no TTFT: the locustfile fires it, at the first event with content. The response_time of the request itself ends, with stream=True, at the response head',
    where: `${FILE} Chat.read(); locust/clients.py HttpSession.request(), locust/contrib/fasthttp.py FastHttpSession.request(): response_time`,
  },
  {
    about: 'itl',
    what: 'not given to locust: an event for every gap cost 0.3 ms of CPU for 16 tokens, a third of what FastHttpUser needs for a request. The gaps are in the records',
    where: `${FILE} Chat.send(); seen`,
  },
  {
    about: 'tpot',
    what: 'fired once a request: (E2E − TTFT) / (tokens − 1)',
    where: `${FILE} Chat.send(): report("TPOT")`,
  },
  {
    about: 'e2e',
    what: 'fired by the locustfile: to the last event with content; usage and [DONE] do not count',
    where: `${FILE} Chat.read(): e2e_ns`,
  },
  {
    about: 'tokenSource',
    what: 'tokens are those of usage; without it, the events with content',
    where: `${FILE} Chat.read(): output_tokens`,
  },
  {
    about: 'throughput',
    what: 'req/s = all requests, failed ones too, over the time from the reset of the statistics (here: the first turn) to the last event, drain included',
    where: 'locust/stats.py StatsEntry.total_rps; locustfile.py on_start(): stats.reset_all',
  },
  {
    about: 'failures',
    what: 'a failed request fires no TTFT, TPOT or E2E; locust counts the request itself as failed and keeps its time to the response head in that line of its table. Exit code 1 on any failure',
    where: `${FILE} Chat.send(): response.failure; locust/runners.py on_request(); locust/main.py shutdown(): exit_code_on_error`,
  },
  {
    about: 'failures',
    what: 'a stream that breaks off is a failure here because the locustfile asks for [DONE] and catches; by itself locust has counted it as a success once the head came, and FastHttpUser’s iter_content() ends as if it were complete',
    where: `${FILE} Chat.read(): ended; locust/contrib/fasthttp.py FastResponse.iter_content(): except … break`,
  },
  {
    about: 'schedule',
    what: 'locust is a closed loop a user: users = rate × period, each sends once a period (constant_pacing, corrected for the sleep’s lag). An answer that takes longer than the period delays its user’s next request, and turns that it missed are lost: under overload the rate falls, and waiting is seen by no figure',
    where: 'locust/user/wait_time.py constant_pacing(): max(0, wait_time − run_time)',
  },
  {
    about: 'schedule',
    what: 'constant_pacing counts from the creation of a user, so users made together fire together. The locustfile lets them start a gap apart and counts from there',
    where: `locust/user/users.py User: _cp_last_run; ${FILE} Chat.on_start()`,
  },
  {
    about: 'connections',
    what: 'each user has a session and pool of its own, so its first request opens a connection; its others use it again',
    where:
      'locust/user/users.py HttpUser: self.client = HttpSession; locust/contrib/fasthttp.py FastHttpUser.client_pool',
  },
  {
    about: 'warmup',
    what: 'none: the first request of a user is measured, its connection with it',
    where: `${FILE} Chat.on_start()`,
  },
  {
    about: 'statistics',
    what: 'percentiles are of rounded values, one of them and none between: to 1 ms below 100 ms, to 10 ms below a second, then to two digits. The mean is exact. So two percentiles of 200 and 210 ms may differ by a microsecond',
    where: 'locust/stats.py bucket_response_time(), calculate_response_time_percentile()',
  },
  {
    about: 'other',
    what: 'its --csv files are written once a second and not at the end, so they lack up to the last second; Tare reads the figures from the functions that print the closing table',
    where: 'locust/stats.py StatsCSVFileWriter.stats_writer(); locustfile.py on_quitting(); seen',
  },
  {
    about: 'join',
    what: 'the locustfile sends x-request-id and writes it down',
    where: `${FILE} Chat.send(): records`,
  },
];

const clientFacts: Readonly<Record<UserClass, Fact>> = {
  HttpChat: {
    about: 'other',
    what: 'HttpUser is requests on urllib3, patched by gevent to yield: cookies, hooks, redirects and adapters are gone through for every request',
    where: 'locust/clients.py HttpSession; monkey.patch_all() at import',
  },
  FastHttpChat: {
    about: 'other',
    what: 'FastHttpUser is geventhttpclient, with its HTTP parser in C. Its iter_content(1024) waits for 1024 bytes, several tokens; the locustfile reads lines instead',
    where: 'geventhttpclient/response.py HTTPSocketResponse.read(), readline()',
  },
};

const processFacts = (processes: number): Fact =>
  processes === 1
    ? {
        about: 'processes',
        what: 'one process runs every user as a greenlet of one gevent loop, the statistics and the schedule included',
        where: 'locust/runners.py LocalRunner; locust/user/users.py User.start()',
      }
    : {
        about: 'processes',
        what: 'a master that sends nothing, and workers forked from it; each worker reports its statistics every 3 s and at the end',
        where:
          'locust/main.py main(): options.processes, gevent.fork; locust/runners.py WORKER_REPORT_INTERVAL',
      };

export function factsOf({ userClass, processes }: Variant): ClientFacts {
  const client = userClass === 'HttpChat' ? 'requests (urllib3)' : 'geventhttpclient';
  return {
    definitions: {
      t0: 'sent',
      t0Detail:
        'perf_counter in the user’s greenlet, before client.post: connecting is inside, the lag behind its turn is not',
      ttft: 'firstContent',
      itl: 'none',
      tpot: 'standard',
      ntpot: 'none',
      end: 'lastToken',
      tokenSource: 'usage',
      throughput: 'firstSendToLastEnd',
      throughputOf: 'all',
      failures: 'excluded',
      warmupRequests: 0,
      percentiles: 'rounded',
    },
    architecture:
      processes === 1
        ? `one process, one gevent loop, ${client}; a greenlet and a connection a user, users = rate × pacing period`
        : `a master and ${processes} worker processes, a gevent loop each, ${client}; a greenlet and a connection a user, users = rate × pacing period`,
    runtime: 'gevent',
    processes:
      processes === 1 ? '1, or --workers' : `${processes}, or --workers, and a master that sends nothing`,
    connections: 'one a user',
    joins: 'requestId',
    arrivals: ['constant'],
    openLoop: false,
    version: LOCUST_VERSION,
    evidence: [...common, clientFacts[userClass], processFacts(processes)],
    startupS: processes === 1 ? 1.5 : 4,
    teardownS: processes === 1 ? 0.5 : 1.5,
  };
}
