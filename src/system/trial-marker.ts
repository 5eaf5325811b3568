/**
 * The mark that a launched program and all that it starts carry in their environment, readable in /proc/PID/environ. It is what finds
 * a daemon that has left the group, the session and its parents. A harness that runs below another one adds its mark to the other's,
 * so that each finds all that is its own.
 */
import { randomBytes } from 'node:crypto';

export const MARKER_VARIABLE = 'TARE_TRIAL';

/** Unique to this process; every mark that it gives begins with it. */
export const harnessId = `tare-${randomBytes(8).toString('hex')}.`;

let launched = 0;

/** A mark that no other launch has. */
export function nextMarker(): string {
  launched += 1;
  return harnessId + launched;
}

/** The variable's value for a program that is to carry `marker`, given the value that this process carries itself. */
export const markerValue = (marker: string, inherited: string | undefined): string =>
  inherited ? `${inherited}:${marker}` : marker;

export const carriesMarker = (value: string | null, marker: string): boolean =>
  value?.split(':').includes(marker) ?? false;
