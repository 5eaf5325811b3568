/** How to do it again: this version of Tare, of each client, the audit, and any one trial by itself. */
import type { AuditDocument, ClientEntry, Trial } from '../../src/audit/document.ts';
import { commandLine } from '../command-line.ts';
import { type Html, html } from '../html.ts';
import { count, grouped, oneLine } from '../text.ts';
import { auditCommand } from './audit-command.ts';
import { OUTCOME } from './outcome-words.ts';

/** A command to copy. `about` ends the button's name, for those who hear it alone. */
export const command = (id: string, about: string, text: string): Html =>
  html`<div class="command"><pre id="${id}"><code>${text}</code></pre><button type="button" class="copy" data-copy="${id}" hidden>Copy<span class="unseen"> ${about}</span></button></div>`;

const TARE = `npm ci && npm run build
alias tare="node $PWD/dist/src/cli/main.js"
tare doctor`;

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

function trialItem(trial: Trial, index: number): Html {
  const name = oneLine(trial.id);
  return html`<li><h4>${name}</h4><p class="quiet">${grouped(trial.order + 1)}. in order, ${OUTCOME[trial.outcome.kind]}, seed ${trial.workload.seed}${trial.exit_code !== null && `, exit code ${trial.exit_code}`}</p>
${command(`command-${index}`, `the command of ${name}`, commandLine(trial.command))}</li>
`;
}

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
      html`<details class="commands"><summary>${oneLine(client)}: ${count(trials.length, 'trial')}</summary><ul>
${trials.map((trial) => trialItem(trial, ++index))}</ul></details>
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
<h3 id="repeat-tare">1. Tare ${oneLine(document.tare_version)}</h3>
<p class="quiet">In a checkout of that version, with Node ${oneLine(document.host.node)}.</p>
${command('command-tare', 'the commands that build Tare', TARE)}
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
