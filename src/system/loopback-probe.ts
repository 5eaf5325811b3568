/**
 * The two ends of the loopback measurement, each a process of its own (machine-floor.ts): `echo` listens and answers, `ask PORT COUNT`
 * sleeps, sends, waits for the answer, and prints what it saw. Both sleep in the kernel between events, as event-driven programs do.
 */
import { connect, createServer } from 'node:net';
import { clockResolutionNs, nowNs } from './clock.ts';
import { clockCost, type ProbeResult } from './probe-result.ts';

/** As long as a small event of a stream. Its first bytes hold two instants. */
const BYTES = 200;
const PAUSE_MS = 1;
/** Before the code is compiled and the connection warm. */
const WARM_UP = 100;

function echo(): void {
  const answer = Buffer.alloc(BYTES);
  const server = createServer({ noDelay: true }, (socket) => {
    let held = 0;
    socket.on('data', (chunk) => {
      const seen = nowNs();
      held += chunk.length;
      if (held < BYTES) return;
      held -= BYTES;
      answer.writeDoubleLE(seen, 0);
      answer.writeDoubleLE(nowNs(), 8);
      socket.write(answer);
    });
    socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`${(server.address() as { port: number }).port}\n`);
  });
}

function ask(port: number, count: number): void {
  const question = Buffer.alloc(BYTES);
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  const there: number[] = [];
  const back: number[] = [];
  const late: number[] = [];
  let asked = 0;
  let sentNs = 0;
  const answer = Buffer.alloc(BYTES);
  let held = 0;
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }, next);
  socket.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });

  function next(): void {
    const due = nowNs() + PAUSE_MS * 1e6;
    Atomics.wait(sleeper, 0, 0, PAUSE_MS);
    if (asked >= WARM_UP) late.push((nowNs() - due) / 1000);
    asked += 1;
    sentNs = nowNs();
    socket.write(question);
  }

  socket.on('data', (chunk) => {
    const seen = nowNs();
    chunk.copy(answer, held);
    held += chunk.length;
    if (held < BYTES) return;
    held = 0;
    if (asked > WARM_UP) {
      there.push((answer.readDoubleLE(0) - sentNs) / 1000);
      back.push((seen - answer.readDoubleLE(8)) / 1000);
    }
    if (asked < WARM_UP + count) next();
    else {
      socket.destroy();
      const result: ProbeResult = {
        clock: clockCost(nowNs, clockResolutionNs),
        to_target_us: there,
        to_client_us: back,
        wake_up_us: late,
      };
      process.stdout.write(`${JSON.stringify(result)}\n`);
    }
  });
}

if (process.argv[2] === 'echo') echo();
else ask(Number(process.argv[3]), Number(process.argv[4]));
