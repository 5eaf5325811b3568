/** locust, with our locustfile.py: its two HTTP clients, and several processes. */
import type { Adapter } from '../contract.ts';
import { refuseArrivals } from '../kit/arrivals.ts';
import { findPythonClient } from '../kit/python-client.ts';
import { FAST, FAST_TWO, factsOf, HTTP, type Variant } from './facts.ts';
import { parse } from './parse.ts';
import { prepare } from './prepare.ts';
import { environment, setup } from './setup.ts';

function make(variant: Variant): Adapter {
  const facts = factsOf(variant);
  return {
    name: variant.name,
    title: variant.title,
    facts,
    find: () => findPythonClient({ command: 'locust', environment }),
    setup,
    prepare: (request) => prepare(request, variant.userClass, request.workers ?? variant.processes),
    parse,
    refuses: (workload) => refuseArrivals('locust with constant_pacing', facts, workload),
  };
}

export const locustAdapter = make(HTTP);
export const locustFastAdapter = make(FAST);
export const locustFastTwoAdapter = make(FAST_TWO);
