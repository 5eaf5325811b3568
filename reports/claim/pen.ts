/** Lines of terminal text: wrapped, indented, verdicts in colour where that was asked for. */
import { wrap } from '../table.ts';

export interface ClaimTextOptions {
  /** In ASCII and without colours. */
  readonly plain?: boolean;
  /** Colours by ANSI escapes; never with `plain`. */
  readonly color?: boolean;
  readonly width?: number;
}

export interface Pen {
  /** A verdict or state in its colour; other words stay as they are. */
  readonly paint: (word: string) => string;
  readonly line: (text: string, indent?: number) => string;
}

const COLORS: Readonly<Record<string, number>> = {
  supported: 32,
  stated: 32,
  agrees: 32,
  contradicted: 31,
  contradicts: 31,
  undetermined: 33,
  limits: 33,
  'not stated': 33,
};

export function penOf(options: ClaimTextOptions): Pen {
  const width = Math.min(120, Math.max(60, options.width ?? 100));
  const color = options.color === true && options.plain !== true;
  return {
    paint: (word) => (color && COLORS[word] !== undefined ? `\u001b[${COLORS[word]}m${word}\u001b[0m` : word),
    line: (text, indent = 0) => {
      const left = ' '.repeat(indent);
      const hang = text.startsWith('- ') ? '  ' : '    ';
      return wrap(text, width - indent, hang).replace(/^/gm, left);
    },
  };
}
