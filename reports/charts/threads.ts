/** CPU by thread: the busiest threads of each client by name, at the highest rate at which they were observed. */
import type { AuditDocument, Observed, Trial } from '../../src/audit/document.ts';
import { percent, rate } from '../format.ts';
import { provenanceOf } from '../provenance.ts';
import { count, oneLine, shorten } from '../text.ts';
import type { AuditChart, View } from './chart.ts';
import { chartData } from './data.ts';
import { type KeyEntry, keyLayers, pixel } from './key.ts';
import { AXIS, GRID, INK, look, MUTED, PAPER } from './palette.ts';
import { ROOM, textWidth } from './text-width.ts';

const WIDTH = 420;
const BAR = { height: 11, line: 17, head: 20, gap: 10 } as const;
const SIZE = 11;
const HEAD_SIZE = 12;
/** Threads drawn one by one; what is left of them is one bar. */
const SHOWN = 4;
/** A thread below this share of a core does nothing that counts. */
const IDLE = 0.01;

interface Bar {
  readonly label: string;
  readonly share: number;
  /** Ready to run and without a core; null where it is not known. */
  readonly wait_share: number | null;
}

interface Group {
  readonly client: string;
  readonly label: string;
  readonly color: string;
  readonly rate_rps: number;
  readonly trials: number;
  /** The trial that is drawn. */
  readonly observed: Observed;
  readonly bars: readonly Bar[];
}

type Seen = Trial & { readonly observed: Observed };

const hasThreads = (trial: Trial): trial is Seen =>
  trial.observed !== null && trial.observed.threads.length > 0;

/** Of the repetitions the one whose busiest thread is in the middle: a trial as it was, not a mixture of several. */
const middleOf = (trials: readonly Seen[]): Seen =>
  [...trials].sort(
    (a, b) =>
      (a.observed.busiest_thread_share ?? 0) - (b.observed.busiest_thread_share ?? 0) || a.order - b.order,
  )[Math.floor((trials.length - 1) / 2)]!;

function barsOf({ threads }: Observed): readonly Bar[] {
  const sorted = [...threads].sort((a, b) => b.share - a.share || a.tid - b.tid);
  const working = sorted.filter(({ share }, i) => i === 0 || share >= IDLE);
  const alone = working.length <= SHOWN + 1 ? working : working.slice(0, SHOWN);
  const others = working.slice(alone.length);
  return [
    ...alone.map(({ name, share, wait_share }) => ({ label: shorten(oneLine(name), 20), share, wait_share })),
    ...(others.length === 0
      ? []
      : [
          {
            label: `${count(others.length, 'more thread')}`,
            share: others.reduce((sum, one) => sum + one.share, 0),
            wait_share: null,
          },
        ]),
  ];
}

function groupsOf(document: AuditDocument): readonly Group[] {
  return document.clients.flatMap((entry, index): Group[] => {
    const seen = document.trials.filter((trial) => trial.client === entry.name).filter(hasThreads);
    if (seen.length === 0) return [];
    const rate_rps = Math.max(...seen.map(({ workload }) => workload.rateRps));
    const trials = seen.filter(({ workload }) => workload.rateRps === rate_rps);
    const { observed } = middleOf(trials);
    return [
      {
        client: entry.name,
        label: shorten(oneLine(entry.name), 40),
        color: look(index).color,
        rate_rps,
        trials: trials.length,
        observed,
        bars: barsOf(observed),
      },
    ];
  });
}

const shareWords = ({ share, wait_share }: Bar): string =>
  `${percent(share)} %${wait_share !== null && wait_share >= IDLE ? `, waited ${percent(wait_share)} %` : ''}`;

interface Placed {
  readonly bar: Bar;
  readonly color: string;
  readonly y: number;
}

/** Heads and bars from the top. */
function layOut(groups: readonly Group[]): {
  heads: readonly { label: string; y: number }[];
  bars: readonly Placed[];
  height: number;
} {
  let y = 0;
  const heads: { label: string; y: number }[] = [];
  const bars: Placed[] = [];
  groups.forEach((group, i) => {
    if (i > 0) y += BAR.gap;
    heads.push({ label: `${group.label} at ${rate(group.rate_rps)}/s`, y: y + BAR.head / 2 });
    y += BAR.head;
    for (const bar of group.bars) {
      bars.push({ bar, color: group.color, y });
      y += BAR.line;
    }
  });
  return { heads, bars, height: y };
}

const texts = (values: readonly View[], style: View): View => ({
  data: { values: [...values] },
  mark: { type: 'text', baseline: 'middle', fontSize: SIZE, ...style },
  encoding: { x: pixel('x'), y: pixel('y'), text: { field: 'label', type: 'nominal' } },
});

const boxes = (values: readonly View[], style: View): readonly View[] =>
  values.length === 0
    ? []
    : [
        {
          data: { values: [...values] },
          mark: { type: 'rect', opacity: 1, ...style },
          encoding: { x: pixel('x'), x2: { field: 'x2' }, y: pixel('y'), y2: { field: 'y2' } },
        },
      ];

const square = (color: string, hollow = false): KeyEntry['look'] => ({
  shape: 'square',
  fill: hollow ? 'transparent' : color,
  stroke: color,
  strokeWidth: 1,
  size: 80,
});

/** The box that a text of this width fills, with a little room. */
const under = ({ x, y }: { readonly x: number; readonly y: number }, width: number): View => ({
  x: x - 2,
  x2: x + ROOM * width + 2,
  y: y - BAR.line / 2,
  y2: y + BAR.line / 2,
});

function viewOf(groups: readonly Group[]): { view: View; width: number } {
  const { heads, bars, height } = layOut(groups);
  const most = Math.max(1, ...bars.map(({ bar }) => bar.share + (bar.wait_share ?? 0)));
  // Beyond a core only together, or while it waits besides.
  const end = Math.ceil(most * 4) / 4;
  const px = (share: number) => (share / end) * WIDTH;
  const middle = (y: number) => y + BAR.line / 2;
  const span = (y: number) => ({
    y: middle(y) - BAR.height / 2,
    y2: middle(y) + BAR.height / 2,
  });
  const names = Math.max(...bars.map(({ bar }) => textWidth(bar.label, SIZE)));
  const figures = Math.max(...bars.map(({ bar }) => textWidth(shareWords(bar), SIZE)));
  const waits = bars.filter(({ bar }) => (bar.wait_share ?? 0) >= IDLE);
  const figuresAt = bars.map(({ bar, y }) => ({
    x: px(bar.share + ((bar.wait_share ?? 0) >= IDLE ? bar.wait_share! : 0)) + 6,
    y: middle(y),
    label: shareWords(bar),
  }));
  const colors = [...new Set(bars.map(({ color }) => color))];
  const step = end > 2 ? 1 : 0.25;
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, i) => i * step);
  const left = -Math.ceil(ROOM * names) - 8;
  const headsAt = heads.map(({ label, y }) => ({ x: left, y, label }));
  return {
    width: Math.ceil(ROOM * (names + figures) + WIDTH + 60),
    view: {
      width: WIDTH,
      height,
      layer: [
        ...keyLayers(
          [
            { label: 'on a core', look: square(MUTED) },
            ...(waits.length > 0 ? [{ label: 'ready to run, no core free', look: square(MUTED, true) }] : []),
          ],
          WIDTH,
        ),
        {
          data: { values: ticks.map((tick) => ({ x: px(tick), y: 0, y2: height })) },
          mark: { type: 'rule', color: GRID, strokeWidth: 1 },
          encoding: { x: pixel('x'), y: pixel('y'), y2: { field: 'y2' } },
        },
        {
          data: { values: [{ x: px(1), y: 0, y2: height }] },
          mark: { type: 'rule', color: AXIS, strokeWidth: 1.25, strokeDash: [5, 4] },
          encoding: { x: pixel('x'), y: pixel('y'), y2: { field: 'y2' } },
        },
        ...colors.flatMap((color) => {
          const own = bars.filter((placed) => placed.color === color);
          return [
            ...boxes(
              own.map(({ bar, y }) => ({ x: 0, x2: Math.max(0.5, px(bar.share)), ...span(y) })),
              { color },
            ),
            ...boxes(
              own
                .filter(({ bar }) => (bar.wait_share ?? 0) >= IDLE)
                .map(({ bar, y }) => ({
                  x: px(bar.share),
                  x2: px(bar.share + bar.wait_share!),
                  ...span(y),
                })),
              { filled: false, stroke: color, strokeWidth: 1 },
            ),
          ];
        }),
        texts(headsAt, { align: 'left', fontSize: HEAD_SIZE, fontWeight: 600, color: INK }),
        texts(
          bars.map(({ bar, y }) => ({ x: -8, y: middle(y), label: bar.label })),
          { align: 'right', color: MUTED },
        ),
        // Paper under all words in the plot: no line of a share runs through them.
        ...boxes(
          [
            ...figuresAt.map((one) => under(one, textWidth(one.label, SIZE))),
            ...headsAt.map((one) => under(one, textWidth(one.label, HEAD_SIZE, true))),
          ],
          { color: PAPER },
        ),
        texts(figuresAt, { align: 'left', color: INK }),
        texts(
          ticks.map((tick) => ({ x: px(tick), y: height + 12, label: `${Math.round(tick * 100)} %` })),
          { align: 'center', color: MUTED },
        ),
        texts([{ x: WIDTH / 2, y: height + 30, label: 'Share of a core' }], {
          align: 'center',
          fontSize: HEAD_SIZE,
          color: INK,
        }),
      ],
    },
  };
}

/** Null where no thread was observed. */
export function threadsChart(document: AuditDocument): AuditChart | null {
  const groups = groupsOf(document);
  if (groups.length === 0) return null;
  const several = groups.some(({ trials }) => trials > 1);
  return {
    name: 'cpu-threads',
    title: 'CPU by thread, each client at its highest rate (% of a core)',
    explanation:
      `CPU seconds per second of the busiest threads, by the names that they give themselves, between first and last arrival${several ? '; of the repetition whose busiest thread is in the middle' : ''}. ` +
      `Threads below 1\u00a0% are left out; beyond ${SHOWN + 1}, the others are one bar. Dashed: one core, full: a thread cannot use more.`,
    alternative: `Bars of the CPU share of threads. ${groups
      .map(
        ({ label, rate_rps, bars }) =>
          `${label} at ${rate(rate_rps)}/s: ${bars.map((bar) => `${bar.label} ${shareWords(bar)}`).join(', ')}.`,
      )
      .join(' ')}`,
    provenance: provenanceOf(
      document,
      groups.map(({ client }) => client),
    ),
    data: chartData(
      document,
      ['rate_rps', 'rank', 'pid', 'tid', 'thread', 'cpu_share', 'wait_share'],
      groups.flatMap(({ client, rate_rps, observed }) =>
        observed.threads.map(({ pid, tid, name, share, wait_share }, i) => ({
          client,
          cells: [rate_rps, i + 1, pid, tid, oneLine(name), share, wait_share],
        })),
      ),
    ),
    ...viewOf(groups),
  };
}
