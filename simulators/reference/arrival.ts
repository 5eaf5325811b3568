/** The instant at which a request's head was parsed: taken before anything else looks at it. */
import type { IncomingMessage } from 'node:http';

const ARRIVAL = Symbol('arrival');
type Stamped = IncomingMessage & { [ARRIVAL]: number };

export const stampArrival = (req: IncomingMessage, nowNs: number): void => {
  (req as Stamped)[ARRIVAL] = nowNs;
};

export const arrivalOf = (req: IncomingMessage): number => (req as Stamped)[ARRIVAL];
