/** Figures that are sums or quotients of others in the same row. */
import type { ArithmeticCheck, CheckResult } from '../arithmetic-check.ts';
import type { Claim } from '../claim.ts';
import { latencyFromParts } from './latency-identity.ts';
import { normalized, wholeFromNormalized } from './ntpot-identity.ts';
import { headlinesOn } from './rows.ts';
import { ofAUser, totals } from './throughput-identity.ts';
import { orNothing } from './words.ts';

const withHeadlines = (claim: Claim, one: CheckResult): CheckResult =>
  one.state === 'agrees' ? one : { ...one, headlines: headlinesOn(claim, one.figures) };

export const identities: ArithmeticCheck = {
  id: 'identities',
  about:
    'E2E = TTFT + (N − 1) · TPOT, exact for means where every reply has N tokens (with lengths that vary, mean TPOT leaves a covariance; mean ITL over all gaps does not); N · NTPOT = E2E with replies of one length; NTPOT from TTFT and TPOT by the definition of TPOT that E2E has; tokens a second a user = 1 / ITL; total = input + output throughput.',
  run: (claim) =>
    orNothing(
      claim.rows.flatMap((row) =>
        [
          latencyFromParts(claim, row),
          normalized(claim, row),
          wholeFromNormalized(row),
          ofAUser(row),
          totals(row),
        ]
          .filter((one) => one !== null)
          .map((one) => withHeadlines(claim, one)),
      ),
      'identities',
      'Identities',
      'No row gives all figures of an identity, with the length of replies where it needs one.',
    ),
};
