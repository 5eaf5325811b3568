/** The command line of a run as it may be shown and pasted: without secrets. */
import { keyMask } from '../load/key-mask.ts';

const MASK = '***';
/** Names of fields whose values are secrets. */
const SECRET_NAME =
  /api[-_]?key|secret|passw|authori[sz]ation|credential|bearer|^(?:access|auth|id)[-_]?token$|^token$/i;

/** JSON with the values of fields masked whose names say that they are secret. */
function maskedJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskedJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, SECRET_NAME.test(name) ? MASK : maskedJson(one)]),
  );
}

function maskedBody(text: string): string {
  try {
    return JSON.stringify(maskedJson(JSON.parse(text)));
  } catch {
    return MASK;
  }
}

/** `argv`: what follows the program's name, `load` first. The key is masked wherever it stands, and secrets in --extra-body by their names. */
export function shownCommand(argv: readonly string[], apiKey: string | null): readonly string[] {
  const mask = keyMask(apiKey) ?? ((text: string) => text);
  const words = argv.map((word, i) => {
    if (argv[i - 1] === '--extra-body') return maskedBody(word);
    if (word.startsWith('--extra-body=')) return `--extra-body=${maskedBody(word.slice(13))}`;
    return word;
  });
  return ['tare', ...words.map(mask)];
}
