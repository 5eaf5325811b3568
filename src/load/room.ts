/** Whether a run’s connections have room on this machine: file descriptors of each worker, and ports of this host towards the one target. */
import { UserError } from '../system/user-error.ts';
import type { LoadWarning } from './report.ts';

/**
 * Descriptors that a worker has besides its connections to the target: Node’s own, IPC, its spool, and both ends of the 64 connections of its rehearsal (they are closed after the run).
 * 150 were counted in a worker that spun and kept records, on Node 20; the thread of blocking pacing has some more.
 */
export const OWN_DESCRIPTORS = 160;
/** Connections kept ready above those in use. */
const SPARE = 8;
/** How long an answer is taken to be for a guess of connections: so much before the first token, and so much for each. */
const GUESSED_TTFT_S = 0.4;
const GUESSED_TOKEN_S = 0.025;

export interface Room {
  /** Soft limit of open files of a process (`ulimit -n`); null: not known. */
  readonly openFiles: number | null;
  /** Local ports that a connection may have; null: not known. */
  readonly ports: number | null;
  /** Sockets in TIME_WAIT, which hold a port for a minute; null: not known. */
  readonly timeWait: number | null;
}

/** Codes of its warnings. They are guesses made before the run: where room was really short, requests failed, and that is reported. */
export const ROOM = ['open-files', 'ports'] as const;

export const NO_LIMITS: Room = { openFiles: null, ports: null, timeWait: null };

/** Connections that a run needs at once. */
export interface Needed {
  readonly connections: number;
  /** Asked for (a closed loop, --max-in-flight, --connections), or guessed from the rate. */
  readonly certain: boolean;
  /** Where the number comes from, in words. */
  readonly why: string;
}

/** From what was asked, else rate × the guessed length of an answer (an answer is under way for so long: Little’s law). */
export function neededConnections(asked: {
  readonly concurrency: number | null;
  readonly maxInFlight: number | null;
  readonly connections: number | null;
  readonly peakRps: number | null;
  readonly tokens: number;
  readonly requests: number;
}): Needed {
  const least = asked.connections ?? 0;
  if (asked.concurrency !== null && asked.concurrency >= least)
    return {
      connections: asked.concurrency,
      certain: true,
      why: 'as many requests are under way all the time',
    };
  const e2eS = GUESSED_TTFT_S + GUESSED_TOKEN_S * asked.tokens;
  const guess = Math.min(
    Math.ceil((asked.peakRps ?? 0) * e2eS),
    asked.requests,
    asked.maxInFlight ?? Number.POSITIVE_INFINITY,
  );
  if (least >= guess) return { connections: least, certain: true, why: '--connections' };
  return {
    connections: guess,
    certain: false,
    why: `if an answer takes ${Number(e2eS.toPrecision(2))} s (${GUESSED_TTFT_S} s and ${GUESSED_TOKEN_S * 1000} ms a token: a guess)`,
  };
}

/** Connections that one worker has room for. */
const roomEach = (openFiles: number): number => openFiles - OWN_DESCRIPTORS - SPARE;

/** Workers that are needed for their descriptors to suffice; 1 where the limit is not known or too low for any. */
export function workersForDescriptors(needed: Needed, room: Room): number {
  if (room.openFiles === null || roomEach(room.openFiles) <= 0) return 1;
  return Math.max(1, Math.ceil(needed.connections / roomEach(room.openFiles)));
}

/** The next power of two, as limits are mostly set. */
const roundUp = (n: number): number => 2 ** Math.ceil(Math.log2(n));

function descriptorWarning(needed: Needed, workers: number, openFiles: number): LoadWarning[] {
  const each = Math.ceil(needed.connections / workers);
  if (each <= roomEach(openFiles)) return [];
  const remedy = `allow more before the run: ulimit -n ${roundUp(each + OWN_DESCRIPTORS + SPARE)}`;
  const evidence = `a process may have ${openFiles} open files, and each of ${workers} worker${workers === 1 ? '' : 's'} needs about ${each + OWN_DESCRIPTORS + SPARE}: ${each} connections ${needed.why}`;
  // A tenth of room beyond the estimate of a worker's own descriptors: what cannot work for certain is refused, the rest is said.
  if (roomEach(openFiles) <= -OWN_DESCRIPTORS / 10 || (needed.certain && each > openFiles))
    throw new UserError(`${evidence}. This cannot work; ${remedy}`);
  return [{ code: 'open-files', evidence, remedy }];
}

function portWarning(needed: Needed, room: Room): LoadWarning[] {
  if (room.ports === null) return [];
  const free = room.ports - (room.timeWait ?? 0);
  if (needed.connections <= free) return [];
  const evidence = `this host has ${room.ports} ports for connections to one target${room.timeWait ? `, ${room.timeWait} of them held by closed connections (TIME_WAIT)` : ''}, and ${needed.connections} are needed: ${needed.why}`;
  const remedy = 'widen the range: sysctl -w net.ipv4.ip_local_port_range="1024 65535"';
  if (needed.certain && needed.connections > room.ports)
    throw new UserError(`${evidence}. This cannot work; ${remedy}`);
  return [{ code: 'ports', evidence, remedy }];
}

/** Warnings where room is short; throws a UserError where the run cannot work at all. */
export const roomWarnings = (needed: Needed, workers: number, room: Room): LoadWarning[] => [
  ...(room.openFiles === null ? [] : descriptorWarning(needed, workers, room.openFiles)),
  ...portWarning(needed, room),
];
