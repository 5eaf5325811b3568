/**
 * Colours and shapes of the charts. The colours are those of Okabe and Ito ("Color Universal Design", 2008), which people with any
 * kind of colour vision tell apart; yellow is left out, since it vanishes on white, and orange
 * and sky blue are darker than theirs, so that every one stands out from white by 3:1 (WCAG 2.2, 1.4.11); in the dark theme all are lighter. Every client has a shape besides, so that a
 * chart can be read in grey. Seven colours and six shapes: 42 clients before a pair comes again.
 */
export const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#c58700', '#3d9cd2', '#5e5e5e'] as const;
export const SHAPES = ['circle', 'square', 'triangle-up', 'diamond', 'cross', 'triangle-down'] as const;

/** The parts that are not data. Lower case, as Vega writes them into an SVG. */
export const INK = '#1f2328';
export const MUTED = '#59636e';
export const GRID = '#e4e8ec';
export const AXIS = '#8c959f';
export const BAND = '#c9d1d9';
export const PAPER = '#ffffff';

/**
 * Colours of the stages of a request's way, and of text on them: the same seven and a pale grey for what cannot be told, in the order in which
 * neighbours differ most for every kind of colour vision, on white and in the page's dark theme. Dark text stays dark in a dark theme, since the light fills stay light.
 */
const DARK_TEXT = '#101418';
export const STAGE_COLORS = {
  schedule_lag: { fill: COLORS[1], text: DARK_TEXT },
  before_send: { fill: COLORS[3], text: DARK_TEXT },
  to_target: { fill: COLORS[0], text: PAPER },
  target_error: { fill: COLORS[4], text: DARK_TEXT },
  back: { fill: COLORS[5], text: DARK_TEXT },
  read: { fill: COLORS[6], text: PAPER },
  definition: { fill: COLORS[2], text: DARK_TEXT },
  unknown: { fill: BAND, text: INK },
} as const;

/** The look of the n-th client of an audit, from 0: the same in every chart. */
export const look = (index: number): { readonly color: string; readonly shape: string } => ({
  color: COLORS[index % COLORS.length]!,
  shape: SHAPES[index % SHAPES.length]!,
});
