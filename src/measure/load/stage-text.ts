/** The words of stages: `10s@50`, `30s@50..500`, `20s@geometric:50..800`. One grammar for all flags. */
import { once, type Stage, type StagePlan, stageProblem } from './stages.ts';

const ACCEPTED =
  'a stage is TIME@RATE, TIME@FROM..TO or TIME@geometric:FROM..TO, e.g. 10s@50, 30s@50..500, 10s@0 (a pause), 20s@geometric:50..800';
const NUMBER = String.raw`\d+(?:\.\d+)?(?:e[+-]?\d+)?`;
const TIME = new RegExp(`^(${NUMBER})(ms|s|m|h)?$`, 'i');
const RATES = new RegExp(`^(?:(linear|geometric):)?(${NUMBER})(?:\\.\\.(${NUMBER}))?$`, 'i');
const SECONDS = { ms: 0.001, s: 1, m: 60, h: 3600 } as const;
/** Figures are kept for each stage. */
const MAX_STAGES = 100;

/** `500ms`, `10s`, `2m` or a plain number of seconds; NaN for anything else. */
export function parseTime(text: string): number {
  const match = TIME.exec(text.trim());
  if (match === null) return Number.NaN;
  return Number(match[1]) * SECONDS[(match[2]?.toLowerCase() ?? 's') as keyof typeof SECONDS];
}

function stage(time: string, rates: string, text: string, accepted: string): Stage {
  const durationS = parseTime(time);
  const match = RATES.exec(rates.trim());
  if (!(durationS > 0) || match === null) throw new Error(`"${text}" is no stage; ${accepted}`);
  const fromRps = Number(match[2]);
  const toRps = Number(match[3] ?? match[2]);
  const shape = match[1]?.toLowerCase() === 'geometric' ? 'geometric' : 'linear';
  const made = { durationS, fromRps, toRps, shape } as const;
  const problem = fromRps + toRps === 0 ? null : stageProblem(once([made]));
  if (problem !== null) throw new Error(`"${text}": ${problem}`);
  return made;
}

/** Parses a list of stages, joined by commas. Throws an Error that says what is accepted. */
export function parseStages(text: string): Stage[] {
  return text.split(',').map((part) => {
    const at = part.indexOf('@');
    if (at < 0) throw new Error(`"${part}" is no stage; ${ACCEPTED}`);
    return stage(part.slice(0, at), part.slice(at + 1), part, ACCEPTED);
  });
}

/** Parses `10..200:60s` or `geometric:10..200:60s`: the one stage `60s@10..200`. */
export function parseRamp(text: string): Stage {
  const accepted = 'a ramp is FROM..TO:TIME or geometric:FROM..TO:TIME, e.g. 10..200:60s';
  const at = text.lastIndexOf(':');
  const rates = text.slice(0, Math.max(0, at));
  if (!rates.includes('..')) throw new Error(`"${text}" is no ramp; ${accepted}`);
  return stage(text.slice(at + 1), rates, text, accepted);
}

/** Parses `on=2s@200,off=3s` (or `off=3s@10`): a stage of each, in this order. */
export function parseBursts(text: string): Stage[] {
  const accepted = 'bursts are on=TIME@RATE,off=TIME or off=TIME@RATE, e.g. on=2s@200,off=3s';
  const match = /^on=([^@,]+)@([^@,]+),off=([^@,]+)(?:@([^@,]+))?$/i.exec(text.replace(/\s/g, ''));
  if (match === null) throw new Error(`"${text}" are no bursts; ${accepted}`);
  const [, onTime, onRate, offTime, offRate] = match;
  const stages = [
    stage(onTime!, onRate!, `on=${onTime}@${onRate}`, accepted),
    stage(offTime!, offRate ?? '0', `off=${offTime}@${offRate ?? 0}`, accepted),
  ];
  if (stages[0]!.fromRps + stages[0]!.toRps === 0)
    throw new Error(`"${text}": the rate of "on" must be above 0`);
  return stages;
}

/** Checks the whole of what was asked; throws an Error in words. */
export function checkStages(plan: StagePlan): StagePlan {
  const problem = stageProblem(plan);
  if (problem !== null) throw new Error(problem);
  if (plan.stages.length > MAX_STAGES)
    throw new Error(`${plan.stages.length} stages are too many: figures are kept for at most ${MAX_STAGES}`);
  return plan;
}

/** A stage as its flag spells it. */
export function formatStage({ durationS, fromRps, toRps, shape }: Stage): string {
  if (fromRps === toRps) return `${durationS}s@${fromRps}`;
  return `${durationS}s@${shape === 'geometric' ? 'geometric:' : ''}${fromRps}..${toRps}`;
}

/** All stages, joined by commas. */
export const formatStages = (stages: readonly Stage[]): string => stages.map(formatStage).join(',');
