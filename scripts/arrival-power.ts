/** Prints the tables of docs/arrivals.md as Markdown: `node dist/scripts/arrival-power.js [runs a cell]`. About a minute and a half at 100. */
import { closedLoopTable, falseAlarmTable, poissonTestTable, powerTable } from './arrival-power/tables.ts';

const runs = Number(process.argv[2] ?? 100);
const parts = [
  ['Power on the noisy machine', powerTable(runs)],
  ['Closed loops', closedLoopTable(runs)],
  ['False alarms', falseAlarmTable(runs)],
  ['Tests of Poisson at their 5 % level', poissonTestTable(10 * runs)],
];
process.stdout.write(parts.map(([title, text]) => `### ${title}\n\n${text}\n`).join('\n'));
