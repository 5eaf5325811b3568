import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createFaultyAdapter, tareAdapter } from '../../../adapters/tare/adapter.ts';
import { CONTROLS } from '../../../src/audit/selftest/controls.ts';
import type { ControlResult } from '../../../src/audit/selftest/document.ts';
import { controlWorkload, orderControls } from '../../../src/audit/selftest/run.ts';
import { verdictOf } from '../../../src/audit/selftest/selftest.ts';
import { chosenControls, selftestExitCode } from '../../../src/cli/selftest-run.ts';
import { FAULT_KINDS } from '../../../src/measure/diagnosis/fault.ts';

describe('the controls', () => {
  it('are at least 14 faults and clean runs on every shape but the slow one, each name once', () => {
    expect(CONTROLS.filter(({ expects }) => expects !== null).length).toBeGreaterThanOrEqual(14);
    const clean = CONTROLS.filter(({ expects }) => expects === null).map(({ shape }) => shape);
    expect(new Set(clean)).toEqual(new Set(['stream', 'together', 'random']));
    expect(new Set(CONTROLS.map(({ name }) => name)).size).toBe(CONTROLS.length);
  });

  it('name faults that our client has', () => {
    for (const { fault } of CONTROLS)
      if (fault !== null) expect(() => createFaultyAdapter(fault)).not.toThrow();
  });

  it('meet other draws in each repetition, and the same ones with the same seed', () => {
    const [control] = CONTROLS;
    expect(controlWorkload(control!, 1, 1)).toEqual(controlWorkload(control!, 1, 1));
    expect(controlWorkload(control!, 1, 1).seed).not.toBe(controlWorkload(control!, 1, 2).seed);
    expect(controlWorkload(control!, 1, 1).seed).not.toBe(controlWorkload(control!, 2, 1).seed);
  });

  it('run in random order, all of a repetition before the next, under names of their own', () => {
    const planned = orderControls(CONTROLS, 3, 1, () => tareAdapter);
    expect(planned).toHaveLength(3 * CONTROLS.length);
    expect(planned.map(({ trial }) => trial.repetition)).toEqual(
      planned.map((_, i) => 1 + Math.floor(i / CONTROLS.length)),
    );
    expect(new Set(planned.map(({ trial }) => trial.id)).size).toBe(planned.length);
    for (const { trial } of planned) expect(trial.id).toMatch(/^[a-z0-9-]+$/i);
    const first = planned.slice(0, CONTROLS.length).map(({ control }) => control.name);
    expect(first).not.toEqual(CONTROLS.map(({ name }) => name));
    expect(first).not.toEqual(
      planned.slice(CONTROLS.length, 2 * CONTROLS.length).map(({ control }) => control.name),
    );
  });

  it('can be chosen by name; one that does not exist is an error that lists those that do', () => {
    expect(chosenControls(['clean', 'late-send']).map(({ name }) => name)).toEqual(['clean', 'late-send']);
    expect(() => chosenControls([])).toThrow(/names no control/);
    expect(() => chosenControls(['late-sent'])).toThrow(/no control late-sent; there are clean; .*late-send/);
  });
});

describe('verdictOf', () => {
  const result = (expects: 'late-read' | null, verdict: ControlResult['verdict']) =>
    ({ expects, verdict }) as ControlResult;
  const many = (n: number, expects: 'late-read' | null, verdict: ControlResult['verdict']) =>
    Array.from({ length: n }, () => result(expects, verdict));

  it('passes at 19 of 20 on both sides, and not below', () => {
    const good = [
      ...many(19, 'late-read', 'right'),
      ...many(1, 'late-read', 'missed'),
      ...many(20, null, 'right'),
    ];
    expect(verdictOf(good, 40)).toMatchObject({
      right: 39,
      total: 40,
      clean_runs: 20,
      accused: 0,
      passed: true,
    });
    const missed = [
      ...many(18, 'late-read', 'right'),
      ...many(2, 'late-read', 'missed'),
      ...many(20, null, 'right'),
    ];
    expect(verdictOf(missed, 40).passed).toBe(false);
    const accused = [
      ...many(20, 'late-read', 'right'),
      ...many(2, null, 'accused'),
      ...many(18, null, 'right'),
    ];
    expect(verdictOf(accused, 40)).toMatchObject({ accused: 2, passed: false });
  });

  it('does not pass with one accusation in a few clean runs, nor cut short, nor with nothing run', () => {
    expect(
      verdictOf([...many(20, 'late-read', 'right'), ...many(3, null, 'right'), result(null, 'accused')], 24)
        .passed,
    ).toBe(false);
    expect(verdictOf(many(20, 'late-read', 'right'), 24).passed).toBe(false);
    expect(verdictOf([], 0).passed).toBe(false);
    expect(verdictOf(many(20, 'late-read', 'right'), 20, false).passed).toBe(false);
  });
});

describe('docs/selftest.md', () => {
  it('has every kind of fault that can be found', () => {
    const page = readFileSync('docs/selftest.md', 'utf8');
    for (const kind of Object.keys(FAULT_KINDS)) expect(page).toContain(`\`${kind}\``);
  });
});

describe('the exit code', () => {
  it('tells a machine that is no place to audit on from one that could not be judged', () => {
    const of = (
      passed: boolean,
      verdicts: ControlResult['verdict'][],
      state: 'finished' | 'interrupted' = 'finished',
    ) => selftestExitCode({ passed, state, controls: verdicts.map((verdict) => ({ verdict })) });
    expect(of(true, ['right'])).toBe(0);
    expect(of(false, ['right', 'missed', 'undetermined'])).toBe(5);
    expect(of(false, ['right', 'undetermined'])).toBe(4);
    expect(of(false, ['accused'], 'interrupted')).toBe(4);
    // All right, and no floor.
    expect(of(false, ['right'])).toBe(4);
  });
});
