/** How to do it again: this version of Tare, of each client, the audit, and any one trial by itself. */
import type { AuditDocument, ClientEntry, Trial } from '../../src/audit/document.ts';
import { commandLine } from '../command-line.ts';
import { type Html, html } from '../html.ts';
import { harnessName } from '../provenance.ts';
import { clipped, count, grouped, listed, oneLine } from '../text.ts';
import { auditCommand } from './audit-command.ts';
import { OUTCOME } from './outcome-words.ts';
import { OWN, type TrialGroup, trialGroups } from './trial-groups.ts';

/** A command to copy. `about` ends the button's name, for those who hear it alone. */
export const command = (id: string, about: string, text: string): Html =>
  html`<div class="command"><pre id="${id}"><code>${text}</code></pre><button type="button" class="copy" data-copy="${id}" hidden>Copy<span class="unseen"> ${about}</span></button></div>`;

/** A commit and nothing else: what is read from a file goes into a command. */
const COMMIT = /^[\da-f]{40}(?=$|\+changes$)/;
const commitOf = ({ tare_commit }: AuditDocument): string | null =>
  COMMIT.exec(tare_commit ?? '')?.[0] ?? null;

/** Where to find the Tare that measured. */
function checkoutWords(document: AuditDocument): string {
  const commit = commitOf(document);
  if (commit === null) return 'In a checkout of that version';
  const changes = document.tare_commit === commit ? '' : ', which had changes that were not committed';
  return `In a checkout of commit ${commit}${changes}`;
}

const tareCommands = (document: AuditDocument): string =>
  `${commitOf(document) === null ? '' : `git checkout ${commitOf(document)}\n`}${TARE}`;

const TARE = `npm ci && npm run build
alias tare="node $PWD/dist/src/cli/main.js"
tare doctor`;

/** Characters of a name, and of a word of a command, of which megabytes could come from outside; audit.json has them whole. */
const SHOWN = 120;
const WORD = 1_000;

/** `tare setup` installs what is pinned in it; what the user had, only the user can install. */
function installLine({ name, found }: ClientEntry): string {
  const shown = oneLine(name);
  if (found.state === 'missing') return `# ${shown} was not installed here: ${oneLine(found.remedy)}`;
  const { version, origin, path } = found;
  const is = `${oneLine(version)} (${oneLine(origin)})`;
  if (/tare setup/.test(origin)) return `${commandLine(['tare', 'setup', name])}   # ${is}`;
  if (/^part of Tare/.test(origin)) return `# ${shown} ${is}: nothing to install`;
  return `# ${shown} ${is}: install that version yourself; here it was ${oneLine(path)}`;
}

function groupItem(group: TrialGroup, index: number): Html {
  const [{ trial, own }, ...others] = group;
  const name = clipped(trial.id, SHOWN);
  return html`<li><h4>${name}</h4><p class="quiet">${how(trial)}</p>
${command(`command-${index}`, `the command of ${name}`, commandLine(trial.command, WORD))}${
  others.length > 0 &&
  html`<p class="quiet">The same, word for word, with its own ${listed(Object.keys(own).map((key) => OWN[key as keyof typeof OWN]))} in place of ${listed(Object.values(own).map((value) => clipped(value, SHOWN)))}:</p>
<ul class="quiet">${others.map((one) => html`<li>${otherWords(one)}</li>`)}</ul>`
}</li>
`;
}

/** `asyncio-200rps-r2, port 35943, seed 536184693: 3. in order, measured`. */
function otherWords({ trial, own }: TrialGroup[number]): string {
  const { port, seed } = own;
  const words = [
    clipped(trial.id, SHOWN),
    ...(port === undefined ? [] : [`port ${port}`]),
    ...(seed === undefined ? [] : [`seed ${seed}`]),
  ];
  return `${words.join(', ')}: ${how(trial, seed === undefined)}`;
}

const how = (trial: Trial, seed = true): string =>
  `${grouped(trial.order + 1)}. in order, ${OUTCOME[trial.outcome.kind]}${seed ? `, seed ${trial.workload.seed}` : ''}${trial.exit_code === null ? '' : `, exit code ${trial.exit_code}`}`;

function trialCommands(document: AuditDocument): Html {
  let index = 0;
  const clients = document.plan.clients.map((client) => ({
    client,
    trials: document.trials
      .filter((trial) => trial.client === client)
      .sort((a, b) => a.workload.rateRps - b.workload.rateRps || a.repetition - b.repetition),
  }));
  return html`${clients.map(
    ({ client, trials }) =>
      trials.length > 0 &&
      html`<details class="commands"><summary>${clipped(client, SHOWN)}: ${count(trials.length, 'trial')}</summary><ul>
${trialGroups(trials).map((group) => groupItem(group, ++index))}</ul></details>
`,
  )}`;
}

/** The target as a trial had it (src/audit/target-reference.ts), on a port and with a seed to be put in. */
function serveLine({ plan }: AuditDocument): string {
  const cpus = plan.target_cpus;
  const argv = [
    ...(cpus === null ? [] : ['taskset', '-c', cpus.join(',')]),
    ...[
      'node',
      'dist/src/cli/main.js',
      'serve',
      '--port',
      'PORT',
      '--latency',
      plan.latency,
      '--seed',
      'SEED',
    ],
    ...['--model', plan.target.model, '--tokens', String(plan.output_tokens)],
    ...['--pacing', cpus === null ? 'block' : 'spin', '--ledger', 'ledger.arrow'],
  ];
  return commandLine(argv);
}

/** The section. */
export function reproduceSection(document: AuditDocument): Html {
  const reference = document.plan.target.kind === 'reference';
  return html`<section aria-labelledby="repeat">
<h2 id="repeat">How to reproduce it</h2>
<p class="quiet">Same seed, same arrivals, prompts, order of trials and injected delays. What clients add depends on the machine, so elsewhere expect other figures; the conditions above say what this one was.</p>
<h3 id="repeat-tare">1. ${harnessName(document)}</h3>
<p class="quiet">${checkoutWords(document)}, with Node ${oneLine(document.host.node)}.</p>
${command('command-tare', 'the commands that build Tare', tareCommands(document))}
<h3 id="repeat-clients">2. The clients</h3>
${command('command-clients', 'the commands that install the clients', document.clients.map(installLine).join('\n'))}
<h3 id="repeat-audit">3. The audit</h3>
${command('command-audit', 'the command of the audit', auditCommand(document))}
<h3 id="repeat-trials">4. One trial by itself</h3>
<p class="quiet">Each command as it was run, in the trial’s own folder <code>trials/…/client</code> of the results, which holds the files that it names${
    reference
      ? html`; before it the target was started for that trial alone, as below, with the port that the command or its files name and the trial’s seed`
      : ''
  }.</p>
${reference && command('command-serve', 'the command of the target', serveLine(document))}
${trialCommands(document)}</section>`;
}
