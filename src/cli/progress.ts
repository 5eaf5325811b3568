/** Progress of an audit on stderr: a live line on a terminal, a plain line a trial elsewhere. */

import { type Options, Presets, SingleBar } from 'cli-progress';
import { floorLines } from '../../reports/floor-words.ts';
import type { AuditEvent } from '../audit/audit.ts';
import type { Trial } from '../audit/document.ts';
import type { FloorEvent } from '../audit/measure-floor.ts';

/** `75 s` or `2 min 05 s`. */
export function duration(s: number): string {
  const whole = Math.max(0, Math.round(s));
  return whole < 100
    ? `${whole} s`
    : `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}

/** The start or end of a floor's run, in words. */
export const floorEventLine = (event: FloorEvent): string =>
  event.kind === 'floorStart'
    ? `measuring this machine's floor (about ${duration(event.estimatedS)})`
    : event.plausible
      ? floorLines(event.floor).join('\n')
      : `${floorLines(event.floor)[0]}; disturbed by other work, so not taken`;

/** One finished trial in a line. */
export function trialLine(trial: Trial, index: number, total: number, leftS: number): string {
  const { outcome, truth, client_side: client, reported } = trial;
  const sent = truth?.arrival_rps ?? client?.sent_rps ?? null;
  const ttft = reported?.metrics.ttft.p50_ms;
  const figures =
    sent === null
      ? ''
      : ` sent ${sent.toFixed(0)}/s${ttft == null ? '' : `, TTFT p50 ${ttft.toFixed(2)} ms`}`;
  const ending = outcome.kind === 'measured' ? '' : ` [${outcome.kind}: ${outcome.reason}]`;
  return `${index + 1}/${total} ${trial.client} at ${trial.workload.rateRps}/s, repetition ${trial.repetition}: ${trial.elapsed_s.toFixed(1)} s${figures}${ending} (about ${duration(leftS)} left)`;
}

/** Where progress is written, and how often the live line moves. */
export interface ProgressSink {
  readonly terminal: boolean;
  readonly write: (line: string) => void;
  readonly now: () => number;
}

export interface Progress {
  readonly onEvent: (event: AuditEvent) => void;
  readonly end: () => void;
}

const barOptions: Options = {
  format: '{bar} {value}/{total} {what} · {elapsed} · about {left} left',
  barsize: 20,
  hideCursor: true,
  clearOnComplete: true,
  stopOnComplete: false,
  linewrap: false,
  gracefulExit: false,
};

/** A progress reporter for the sink. */
export function progressOn(sink: ProgressSink): Progress {
  if (!sink.terminal) return plainProgress(sink);
  const bar = new SingleBar(barOptions, Presets.shades_classic);
  let running = false;
  let what = '';
  let startedMs = 0;
  let leftS = 0;
  const payload = () => {
    const elapsedS = (sink.now() - startedMs) / 1000;
    return { what, elapsed: duration(elapsedS), left: duration(leftS - elapsedS) };
  };
  const timer = setInterval(() => running && bar.update(payload()), 500);
  timer.unref();
  const show = (index: number, total: number) => {
    startedMs = sink.now();
    if (!running) bar.start(total, index, payload());
    else {
      bar.setTotal(total);
      bar.update(index, payload());
    }
    running = true;
  };
  return {
    onEvent(event) {
      if (event.kind === 'floorStart') {
        what = "this machine's floor";
        leftS = event.estimatedS;
        show(0, 1);
      } else if (event.kind === 'trialStart') {
        what = `${event.trial.client} at ${event.trial.rateRps}/s`;
        leftS = event.leftS;
        show(event.index, event.total);
      } else if (event.kind === 'trialEnd') {
        bar.update(event.index + 1, payload());
      }
    },
    end() {
      clearInterval(timer);
      if (running) bar.stop();
      running = false;
    },
  };
}

function plainProgress(sink: ProgressSink): Progress {
  return {
    onEvent(event) {
      if (event.kind === 'floorStart' || event.kind === 'floorEnd') {
        for (const line of floorEventLine(event).split('\n')) sink.write(line);
      } else if (event.kind === 'trialEnd')
        sink.write(trialLine(event.trial, event.index, event.total, event.leftS));
    },
    end() {},
  };
}
