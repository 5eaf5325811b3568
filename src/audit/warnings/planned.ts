/** Warnings that are given while an audit is planned (prepare.ts), before any trial. */
import type { Explained } from './check.ts';

export const LEFT_OUT: Explained = {
  code: 'client-left-out',
  when: 'a client cannot do the arrivals or a rate that is asked',
  why: 'it is not in the result',
  remedy: 'audit it on its own with arrivals and rates that it has',
};

export const OTHER_ARRIVALS: Explained = {
  code: 'other-arrivals',
  when: 'with --arrivals auto, a client that cannot do constant arrivals got Poisson ones',
  why: 'it met burstier load than the others',
  remedy: 'compare like with like by --arrivals poisson, which leaves out those that lack it',
};

export const PLANNED: readonly Explained[] = [LEFT_OUT, OTHER_ARRIVALS];
