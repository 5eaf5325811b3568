/** Answers that think first: reasoning tokens, then those of the answer, at M's pace. */
import type { Asked } from '../../src/measure/probe/answer.ts';
import { TOKEN_TEXT } from './chunk.ts';
import { TOKENS } from './profile.ts';
import { changed } from './shapes.ts';
import type { Piece } from './stream.ts';

/** M's 50 token events, the first `reasoning` of them in `field`, without the end of the stream. A text completion has no such field: there all is text. */
export const thinkingPieces = (
  asked: Asked,
  reasoning: number,
  field: 'reasoning_content' | 'reasoning' = 'reasoning_content',
): Piece[] =>
  changed(
    asked,
    (i) => (i < reasoning && asked.kind === 'chat' ? { delta: { [field]: TOKEN_TEXT } } : {}),
    TOKENS,
  );
