/**
 * A mix of the user's own tasks, in YAML:
 *
 *   tasks:
 *     - name: search
 *       share: 60%
 *       prompt: lognormal:900:1.2:20-8000
 *       output: uniform:10-80
 *     - name: agent          # a preset's name may stand alone with its share
 *       share: 40%
 */
import { isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import { z } from 'zod';
import { parseLength } from '../../measure/load/length-text.ts';
import type { LengthSpec, Task, TaskSpec } from '../../measure/load/request-shape.ts';
import { parseShare, TASK_NAME, wholeShares } from '../../measure/load/task-mix.ts';
import { TASK_PRESETS } from '../../measure/load/task-presets.ts';
import { UserError } from '../../system/user-error.ts';

type Path = readonly PropertyKey[];
interface Fault {
  readonly path: Path;
  readonly message: string;
}

const word = z.union([z.string(), z.number()], 'a word is needed').transform(String);
const taskSchema = z.strictObject(
  {
    name: z
      .string('a name is needed')
      .regex(TASK_NAME, 'a name begins with a letter and has letters, digits, _ . - only (40 at most)'),
    share: word.optional(),
    prompt: word.optional(),
    output: word.optional(),
  },
  'a task is a map with the keys name, share, prompt and output',
);
const fileSchema = z.strictObject(
  { tasks: z.array(taskSchema, 'a list of tasks is needed').min(1, 'a task is needed') },
  'a map with the key "tasks" is needed',
);
type Written = z.infer<typeof taskSchema>;

/** A length as written, or the preset's; notes a fault. */
function length(task: Written, key: 'prompt' | 'output', at: Path, faults: Fault[]): LengthSpec | null {
  const preset = Object.hasOwn(TASK_PRESETS, task.name) ? TASK_PRESETS[task.name as Task][key] : null;
  const text = task[key] ?? preset;
  if (text === null) {
    faults.push({
      path: at,
      message: `${key} is missing: only ${Object.keys(TASK_PRESETS).join(', ')} have lengths of their own`,
    });
    return null;
  }
  try {
    return parseLength(text);
  } catch (error) {
    faults.push({ path: [...at, key], message: (error as Error).message });
    return null;
  }
}

/** Tasks from what is written; faults are added to `faults`. */
function tasksOf(written: readonly Written[], faults: Fault[]): TaskSpec[] {
  const shared = written.filter(({ share }) => share !== undefined).length;
  const tasks = written.map((task, i): TaskSpec | null => {
    const at = ['tasks', i];
    if (written.findIndex(({ name }) => name === task.name) < i)
      faults.push({ path: [...at, 'name'], message: `there are two tasks with the name ${task.name}` });
    const prompt = length(task, 'prompt', at, faults);
    const output = length(task, 'output', at, faults);
    const share = task.share === undefined ? 1 / written.length : parseShare(task.share);
    if (share === null)
      faults.push({ path: [...at, 'share'], message: `"${task.share}" is no share, e.g. 60% or 0.6` });
    if (task.share === undefined && shared > 0)
      faults.push({ path: at, message: 'share is missing: give each task one, or none' });
    return prompt === null || output === null || share === null
      ? null
      : { name: task.name, share, prompt, output };
  });
  if (faults.length > 0) return [];
  try {
    return wholeShares(tasks as TaskSpec[]);
  } catch (error) {
    faults.push({ path: ['tasks'], message: (error as Error).message });
    return [];
  }
}

const zodFaults = (error: z.ZodError): Fault[] =>
  error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...issue.path, key], message: `there is no key ${key} here` }))
      : [{ path: issue.path, message: issue.message }],
  );

/** Reads a file's text. Throws a UserError with every fault, each as `file:line:column: what`. */
export function parseTasksFile(yaml: string, file: string): TaskSpec[] {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false });
  const placed = (offset: number, message: string): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${Math.max(1, line)}:${Math.max(1, col)}: ${message}`;
  };
  const refuse = (faults: readonly string[]): never => {
    throw new UserError(`the tasks cannot be used; see docs/load-requests.md\n${faults.join('\n')}`);
  };
  if (document.errors.length > 0)
    return refuse(document.errors.map((error) => placed(error.pos[0], error.message)));
  /** The key that is wrong, else the value, else what it would be in. */
  const nodeAt = (path: Path): Node | null => {
    const parent = document.getIn(path.slice(0, -1) as unknown[], true);
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))
      : undefined;
    if (isNode(pair?.value)) return pair.value;
    if (isNode(pair?.key)) return pair.key;
    for (let n = path.length; n > 0; n--) {
      const node = document.getIn(path.slice(0, n) as unknown[], true);
      if (isNode(node)) return node;
    }
    return document.contents;
  };
  const place = ({ path, message }: Fault): string => placed(nodeAt(path)?.range?.[0] ?? 0, message);
  const checked = fileSchema.safeParse(document.toJS());
  if (!checked.success) return refuse(zodFaults(checked.error).map(place));
  const faults: Fault[] = [];
  const tasks = tasksOf(checked.data.tasks, faults);
  return faults.length > 0 ? refuse(faults.map(place)) : tasks;
}
