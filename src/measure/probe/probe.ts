/** A probe as data: what the target sends, what is right, and what each known fault makes of it. */
import type { Departure } from '../arrival-process/types.ts';
import type { Definitions } from '../definitions.ts';
import type { Fault } from '../diagnosis/fault.ts';
import type { Ledger } from '../ledger.ts';
import type { MetricTable } from '../metrics.ts';
import type { Answer, Asked } from './answer.ts';
import type { Seen } from './seen.ts';

/** What is judged, a figure each. `success`: the share of the requests that count as successful. */
export const ASPECTS = ['success', 'tokens', 'ttft', 'itl', 'tpot', 'ntpot', 'e2e'] as const;
export type Aspect = (typeof ASPECTS)[number];

/** A fault (or another definition) that is known, and what a client that has it makes of a request. */
export interface Known {
  /** In kebab case; the same name for the same fault in every probe. */
  readonly kind: string;
  /** What such a client does, in words. */
  readonly what: string;
  /** The arithmetic of what it prints, e.g. `TTFT 5; TPOT (1,180 − 5) / 49 = 23.98`. */
  readonly arithmetic: string;
  /** It can be defended as a definition, where it is stated. */
  readonly definition?: true;
  /** Public reports, e.g. `vllm#3759`. */
  readonly reported?: readonly string[];
  readonly sees: (place: number, asked?: Asked) => Seen;
}

interface Common {
  /** In words, one line: what the target does. */
  readonly title: string;
  /** Two to four sentences: what is odd, and why a client should not mind (or must). */
  readonly about: string;
  /** The specification or the arithmetic that the right answer follows from, with its clause. */
  readonly source: string;
  /** The right answer in words and figures. */
  readonly right: string;
}

/** A probe whose target answers by a script. */
export interface ScriptedProbe extends Common {
  /**
   * `request`: each request can be judged on its own, so that one run of a client can carry many probes;
   * `run`: it is about what a client makes of all requests together, so it has a run of its own.
   */
  readonly scope: 'request' | 'run';
  /** Requests in a run of its own, and per second; 10 at 10/s unless said otherwise. */
  readonly requests?: number;
  readonly rateRps?: number;
  /** The most that may be asked for; 50 unless said otherwise. */
  readonly tokens?: number;
  /** A client may rightly end its whole run at this: it is not sent along with others'. */
  readonly rough?: true;
  /** Odd enough that a client which trusts the server’s types may end its whole run here, though it should not. */
  readonly fragile?: true;
  /** What the probe is about: in these figures another definition is worth naming. All unless said otherwise. */
  readonly judges?: readonly Aspect[];
  readonly answer: (asked: Asked) => Answer;
  readonly sees: (place: number, asked?: Asked) => Seen;
  readonly known: readonly Known[];
}

/** One run under load, as a probe of load judges it. */
export interface LoadRun {
  readonly rateRps: number;
  readonly requests: number;
  readonly durationS: number;
  /** Rows that count begin at `first`. */
  readonly ledger: Ledger;
  readonly first: number;
  readonly definitions: Definitions;
  readonly reported: {
    readonly metrics: MetricTable;
    readonly achievedRps: number | null;
    readonly durationS: number | null;
    readonly completed: number | null;
    readonly failed: number | null;
    readonly dropped: number | null;
  } | null;
  readonly exitCode: number | null;
  /** What the arrivals are and how they depart from what was asked; the first explains most. */
  readonly departures: readonly Departure[];
  /** What the diagnosis of an audit finds. */
  readonly faults: readonly Fault[];
  /** The process that was asked for, and the one that the client says it then sends; absent: constant, and as asked. */
  readonly asked?: 'constant' | 'poisson';
  readonly sends?: 'constant' | 'poisson';
  /** Whether it says that it sends by a schedule; absent: it does. */
  readonly openLoop?: boolean;
  /** What the client itself says of its run, in words. */
  readonly notes?: readonly string[];
  /** Words a prompt. */
  readonly promptTokens?: number;
  /** How the machine disturbed this run; null or absent: it did not. */
  readonly disturbed?: string | null;
}

/** A figure of a probe of load: what is right, what came out. */
export interface LoadFigure {
  readonly name: string;
  readonly unit: string;
  readonly right: number | null;
  readonly got: number | null;
  /** As far as the machine can tell them apart. */
  readonly tolerance: number;
  /** Where `got` comes from. */
  readonly by: 'printed' | 'ledger';
}

export interface LoadVerdict {
  readonly verdict: 'right' | 'other definition' | 'faulty' | 'not applicable' | 'undetermined';
  /** Kebab case, of the fault or definition; null where there is none. */
  readonly kind: string | null;
  /** One or two sentences with the figures. */
  readonly words: string;
  readonly size: {
    readonly value: number;
    readonly unit: string;
    /** The figure that shows it, in words; absent: the first one that is off. */
    readonly figure?: string;
    /** (got − right) / right of that figure, where it is that. */
    readonly percent?: number | null;
  } | null;
  readonly figures: readonly LoadFigure[];
  /** The machine stands in the way of a verdict: all is run once more. */
  readonly again?: true;
}

/** A probe under load: against the reference target (with flags of `tare serve`), or a script; one or more runs. */
export interface LoadProbe extends Common {
  readonly scope: 'load';
  readonly runs: readonly {
    readonly name: string;
    readonly rateRps: number;
    readonly requests: number;
    readonly tokens: number;
    readonly arrivals: 'constant' | 'poisson';
    /** Words a prompt; 8 unless said otherwise. */
    readonly promptTokens?: number;
    /** Latency model and further flags of the reference target; absent where `answer` is given. */
    readonly latency?: string;
    readonly flags?: readonly string[];
    /** Where what the target draws must be just this. */
    readonly seed?: number;
  }[];
  /** A script instead of the reference target. */
  readonly answer?: (asked: Asked) => Answer;
  readonly known: readonly Omit<Known, 'sees'>[];
  /** Why this client cannot be asked, or null. */
  readonly refuses?: (client: {
    readonly definitions: Definitions;
    readonly arrivals: readonly string[];
    readonly openLoop: boolean;
  }) => string | null;
  /** A client may rightly end without figures at this: `judge` gets such a run, too, with `reported` null. */
  readonly mayFail?: true;
  /** It judges counts and nothing that a slow machine moves: its verdicts stand on a disturbed one. */
  readonly countsOnly?: true;
  /** Whether these runs settle it, so that the later ones need not be made. */
  readonly isSettled?: (runs: readonly LoadRun[]) => boolean;
  readonly judge: (runs: readonly LoadRun[]) => LoadVerdict;
}

export type Probe = ScriptedProbe | LoadProbe;

/** A probe with its name: its file's, and its folder's as its group. */
export type NamedProbe = Probe & { readonly id: string; readonly group: string };
