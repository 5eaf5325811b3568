/**
 * A harness that launches one fake client and then comes to the end that it is told: `wait` (for a signal from outside), `exit`, `throw`,
 * or `stop` (stopAll on SIGINT). Arguments: the built process-group module, a folder, the end, the client's program and arguments.
 */
const [modulePath, folder, end, ...argv] = process.argv.slice(2);
const { processGroupLauncher, stopAll } = await import(modulePath);

const running = processGroupLauncher.launch({
  argv,
  cwd: folder,
  stdoutFile: `${folder}/stdout`,
  stderrFile: `${folder}/stderr`,
  deadlineMs: 60_000,
  graceMs: 200,
});
running.done.then((result) => process.stdout.write(`${JSON.stringify(result)}\n`));
if (end === 'stop') process.on('SIGINT', () => stopAll().then(() => process.exit(0)));
process.stdout.write(`${running.pid}\n`);
process.stdin.on('data', () => {
  if (end === 'exit') process.exit(0);
  if (end === 'throw') throw new Error('the harness has a bug');
});
