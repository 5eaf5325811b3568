/** Service times of the simulation: by mean and squared coefficient of variation. */
import { exponential, gamma, normal, type Uniform } from '../random.ts';

export type ServiceLaw = 'deterministic' | 'exponential' | 'gamma' | 'lognormal';

export interface Service {
  readonly law: ServiceLaw;
  /** Mean, s. */
  readonly meanS: number;
  /** Squared coefficient of variation of `gamma` and `lognormal`; the others have their own (0 and 1). */
  readonly cv2?: number;
}

/** The service's CV², which for a deterministic and an exponential one is given. */
export const cv2Of = ({ law, cv2 = 1 }: Service): number =>
  law === 'deterministic' ? 0 : law === 'exponential' ? 1 : cv2;

/** A source of independent service times, s. */
export function serviceTimes(service: Service, u: Uniform): () => number {
  const { law, meanS } = service;
  const cv2 = cv2Of(service);
  switch (law) {
    case 'deterministic':
      return () => meanS;
    case 'exponential':
      return () => meanS * exponential(u);
    case 'gamma':
      return () => meanS * cv2 * gamma(u, 1 / cv2);
    case 'lognormal': {
      const s2 = Math.log1p(cv2);
      return () => meanS * Math.exp(Math.sqrt(s2) * normal(u) - s2 / 2);
    }
  }
}
