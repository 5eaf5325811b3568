/** locust, with our locustfile.py: its two HTTP clients, and several processes. */
import { dirname, join } from 'node:path';
import type { Adapter, Found, Missing } from '../contract.ts';
import { refuseArrivals } from '../kit/arrivals.ts';
import { findOwn } from '../kit/own-python.ts';
import { findEnvironment, venvPython } from '../kit/venv.ts';
import { FAST, FAST_TWO, factsOf, HTTP, type Variant } from './facts.ts';
import { parse } from './parse.ts';
import { prepare } from './prepare.ts';
import { environment, LOCUST_VERSION, setup } from './setup.ts';

const notesOn = (version: string): string[] =>
  version === LOCUST_VERSION
    ? []
    : [`its definitions were read in locust ${LOCUST_VERSION}; this is ${version} and may differ`];

/** The user's own first, then the one that tare setup made. */
export async function find(path?: string): Promise<Found | Missing> {
  const own = await findOwn('locust', path);
  if (own !== null && typeof own !== 'string') {
    return {
      state: 'found',
      version: own.version,
      path: own.command,
      origin: "the user's own locust",
      notes: notesOn(own.version),
      handle: { program: own.command },
    };
  }
  const made = await findEnvironment(environment);
  if (typeof made === 'string') {
    const reason = own === null ? `no locust on PATH, and ${made}` : `${own}; ${made}`;
    return { state: 'missing', reason, remedy: 'tare setup locust' };
  }
  const program = join(dirname(venvPython(made.folder)), 'locust');
  return {
    state: 'found',
    version: made.marker.version,
    path: program,
    origin: 'an environment of its own by tare setup',
    notes: own === null ? [] : [own],
    handle: { program },
  };
}

function make(variant: Variant): Adapter {
  const facts = factsOf(variant);
  return {
    name: variant.name,
    title: variant.title,
    facts,
    find: () => find(),
    setup,
    prepare: (request) => prepare(request, variant.userClass, request.workers ?? variant.processes),
    parse,
    refuses: (workload) => refuseArrivals('locust with constant_pacing', facts, workload),
  };
}

export const locustAdapter = make(HTTP);
export const locustFastAdapter = make(FAST);
export const locustFastTwoAdapter = make(FAST_TWO);
