/**
 * Tasks that have a name. They are presets of ours: lognormals, with means near those of published datasets and traces, so that answers are as unlike each other
 * as there. They are no replay of these: where it matters, take a trace. All fit a context of 32,768 tokens.
 */
import { parseLength } from './length-text.ts';
import type { Task, TaskSpec } from './request-shape.ts';

export interface TaskPreset {
  /** As `parseLength` reads them. */
  readonly prompt: string;
  readonly output: string;
  /** What the figures come from. */
  readonly source: string;
}

export const TASK_PRESETS: Readonly<Record<Task, TaskPreset>> = {
  qa: {
    prompt: 'lognormal:1150:0.96:2-14000',
    output: 'lognormal:211:0.77:1-1000',
    source:
      'means, CVs and greatest lengths of the conversation part of the Azure LLM inference trace 2023 (19,366 requests: prompt 1,155 tokens, CV 0.96; output 211, CV 0.77)',
  },
  summarization: {
    prompt: 'lognormal:781:0.5:50-2000',
    output: 'lognormal:56:0.5:10-400',
    source:
      'means of CNN/DailyMail (See et al., ACL 2017: articles of 781 tokens, summaries of 56); CVs and bounds are ours',
  },
  generation: {
    prompt: 'lognormal:161:1.5:4-4000',
    output: 'lognormal:338:1.1:4-4000',
    source:
      'means of ShareGPT as vLLM’s authors used it (Kwon et al., SOSP 2023, fig. 11: input 161.31 tokens, output 337.99); CVs and bounds are ours',
  },
  agent: {
    prompt: 'lognormal:7590:1.3:200-30000',
    output: 'lognormal:182:1.2:1-2000',
    source:
      'means of the Mooncake trace (Qin et al., arXiv 2407.00079, §4.2: input 7,590 tokens, output 182); CVs near those of its later traces (prompt 1.2–1.3, output 0.7–1.2), bounds ours',
  },
};

/** A preset as a task with a share of the requests. */
export const presetTask = (name: Task, share: number): TaskSpec => ({
  name,
  share,
  prompt: parseLength(TASK_PRESETS[name].prompt),
  output: parseLength(TASK_PRESETS[name].output),
});
