/** Files of a closed loop, which schedules nothing. */
import { describe, expect, it } from 'vitest';
import { loadCharts } from '../../reports/load/charts.ts';
import { collect } from '../../reports/load/collect.ts';
import { promText } from '../../reports/load/prometheus.ts';
import { loadProvenance } from '../../reports/load/provenance.ts';
import { secondsCsv } from '../../reports/load/summary-csv.ts';
import { figuresOf } from '../../src/load/record-figures.ts';
import { HOST, type SampleRequest, sampleRun } from './load-sample.ts';

const requests = Array.from({ length: 40 }, (_, index): SampleRequest => {
  const sentMs = Math.floor(index / 4) * 50;
  return { index, scheduledMs: Number.NaN, sentMs, tokenMs: [sentMs + 20, sentMs + 40], endMs: sentMs + 40 };
});
const { report, records } = sampleRun(requests, { concurrency: 4, rateRps: null, requests: 40 });
const { series, buckets } = collect(report, records, {});
const document = { report, series, host: HOST, command: null };

describe('the files of a closed loop', () => {
  it('have no scheduled or due requests', () => {
    expect(series.intervals[0]).toMatchObject({ scheduled: null, due: null, sent: 40 });
    const [head, first] = secondsCsv(series)
      .split('\n')
      .map((line) => line.trim().split(','));
    const cell = (name: string) => first![head!.indexOf(name)];
    expect([cell('scheduled'), cell('due_at_end'), cell('sent')]).toEqual(['', '', '40']);
  });

  it('draw no line of what was not scheduled', () => {
    const texts = loadCharts(document).map((c) => `${c.title} ${c.alternative} ${JSON.stringify(c.view)}`);
    expect(texts).toHaveLength(4);
    for (const text of texts) expect(text).not.toMatch(/from scheduled|scheduled, sent|"(due|scheduled)"/);
    expect(texts[0]).toMatch(/from the sent instant/);
  });

  it('count the wait for Retry-After from the first send', () => {
    const sent_ns = records[0]!.sent_ns! + 2e9;
    const again = {
      ...records[0]!,
      tries: 2,
      sent_ns,
      first_token_ns: sent_ns + 20e6,
      last_token_ns: sent_ns + 40e6,
    };
    expect(figuresOf(again)).toMatchObject({ ttft_sent_ns: 2020e6, e2e_sent_ns: 2040e6 });
    // In an open loop it is in the figures from the scheduled instant.
    expect(figuresOf({ ...again, scheduled_ns: again.first_sent_ns })).toMatchObject({
      e2e_sent_ns: 40e6,
      e2e_scheduled_ns: 2040e6,
    });
  });

  it('name the loop in place of arrivals', () => {
    expect(loadProvenance(document).workload).toMatch(/^closed loop of 4 users, /);
  });

  it('expose no series from a scheduled instant', () => {
    const text = promText(report, buckets);
    expect(text).not.toMatch(/t0="scheduled"|schedule_lag|arrivals=/);
    expect(text).toMatch(/tare_load_e2e_seconds_count\{.*t0="sent"\} 40/);
  });
});
