/** Evidence of what the second witness has to warn of; null where there is none. */
import type { AuditPlan, Floor, Trial } from './document.ts';
import { wireAgreementMs } from './wire.ts';

const hasLoss = ({ wire }: Trial): boolean =>
  !!wire &&
  ((wire.dropped ?? 0) > 0 ||
    wire.unseen_bytes > 0 ||
    (wire.unfinished ?? 0) > 0 ||
    (wire.joined_share ?? 1) < 1);

/** Packets that the capture missed. */
export function wireLoss(trials: readonly Trial[]): string | null {
  const lossy = trials.filter(hasLoss);
  const worst = lossy.toSorted((a, b) => (a.wire!.joined_share ?? 1) - (b.wire!.joined_share ?? 1))[0];
  if (worst === undefined) return null;
  const { dropped, loss_share, unseen_bytes, joined_share, unfinished = 0 } = worst.wire!;
  const percent = (value: number) => `${(value * 100).toFixed(2)} %`;
  const share = loss_share === null ? '' : ` (${percent(loss_share)})`;
  const cut = unfinished === 0 ? '' : `, ${unfinished} answers not seen to their end`;
  const found = joined_share === null ? '' : `, ${percent(joined_share)} of the ledger's requests found`;
  return `in ${lossy.length} trials the capture lacks packets, or requests that could not be joined; ${worst.id}: ${dropped ?? 'unknown'} dropped${share}, ${unseen_bytes} bytes never seen${cut}${found}`;
}

/** Trials that ran and have no capture, one that ended without tcpdump's account, or connections that could not be read. */
export function wireLost(plan: AuditPlan, trials: readonly Trial[]): string | null {
  if (plan.wire === undefined) return null;
  const ran = trials.filter(
    ({ outcome }) => outcome.kind !== 'incomplete' && outcome.kind !== 'clientMissing',
  );
  const kinds: readonly (readonly [what: string, of: readonly Trial[]])[] = [
    ['there is no capture that can be read', ran.filter(({ wire }) => !wire)],
    [
      'tcpdump ended without its account, so that the capture may be cut short',
      ran.filter(({ wire }) => wire?.dropped === null),
    ],
    [
      'connections are not plain HTTP/1.1 and were not read',
      ran.filter(({ wire }) => !!wire && Object.keys(wire.not_understood).length > 0),
    ],
  ];
  const words = kinds.flatMap(([what, of]) =>
    of.length === 0 ? [] : [`in ${of.length} of ${ran.length} trials ${what} (${of[0]!.id})`],
  );
  return words.length === 0 ? null : words.join('; ');
}

/** What ledger and wire may differ by where no floor says it, ms: several times what loopback and waking take. */
export const WITHOUT_FLOOR_MS = 1;

/** Ledger and wire apart by more than the floor, or 1 ms where it has no such figure. */
export function wireDisagrees(trials: readonly Trial[], floor: Floor | null): string | null {
  const { p50 = null, p99 = null } = floor?.floor_ms.ttft ?? {};
  const hasFloor = p50 !== null && p99 !== null;
  const apart = trials.filter((trial) => {
    const found = wireAgreementMs(trial);
    return found !== null && (found.p50 > (p50 ?? WITHOUT_FLOOR_MS) || found.p99 > (p99 ?? WITHOUT_FLOOR_MS));
  });
  const first = apart[0];
  return first === undefined
    ? null
    : `in ${apart.length} trials ledger and wire are farther apart than ${hasFloor ? 'the floor' : `${WITHOUT_FLOOR_MS} ms (there is no floor)`}; ${first.id}: ${first.wire!.statement}`;
}
