/** load.html in a real browser, opened as a file. Skipped by name where there is no Chromium. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv } from 'ajv';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bareSpec, fullSpec } from '../../reports/charts/chart.ts';
import { loadCharts } from '../../reports/load/charts.ts';
import { collect } from '../../reports/load/collect.ts';
import { renderLoadPage } from '../../reports/load/render.ts';
import type { LoadOptions } from '../../src/load/options.ts';
import type { LoadReport } from '../../src/load/report.ts';
import { ARGS, CHROMIUM } from './chromium.ts';
import { HOST, type SampleRequest, sampleRun, steady } from './load-sample.ts';

const HOSTILE = `<img src=x onerror="document.title='owned'"></script><script>document.title='owned'</script>"onload="x`;

async function page(
  requests: readonly SampleRequest[],
  change: Partial<LoadOptions> = {},
  alter: (report: LoadReport) => LoadReport = (report) => report,
): Promise<string> {
  const { report, records } = sampleRun(requests, change);
  const { series } = collect(report, records, {});
  return renderLoadPage({
    report: alter(report),
    series,
    host: HOST,
    command: ['tare', 'load', '--url', 'http://127.0.0.1:8000', '--extra-body', '{"a":"it\'s"}'],
  });
}

const hostileRun = (): Promise<string> =>
  page(
    steady(40, true).map((r) => ({
      ...r,
      id: HOSTILE,
      ...(r.failure === undefined ? {} : { failure: `status 503: ${HOSTILE}` }),
    })),
    { model: HOSTILE, url: 'http://127.0.0.1:8000/<b>x' },
    (report) => ({
      ...report,
      reason: HOSTILE,
      state: 'incomplete',
      warnings: [{ code: HOSTILE, evidence: HOSTILE, remedy: HOSTILE }],
      notes: [{ code: 'n', evidence: HOSTILE, remedy: HOSTILE }],
    }),
  );

describe('load.html', () => {
  it('says first whether it is to be trusted, what succeeded and what rate it was', async () => {
    const good = await page(steady(300));
    const at = (text: string): number => good.indexOf(text);
    expect(at('trusted')).toBeGreaterThan(0);
    expect(at('id="verdict"')).toBeLessThan(at('id="figures"'));
    expect(at('id="figures"')).toBeLessThan(at('id="charts"'));
    expect(good).toContain('300 of 300 requests got a whole answer');
    expect(good).toContain('100 requests/s asked');
    for (const chart of ['latency-over-time', 'quantiles', 'rates', 'in-flight'])
      expect(good).toContain(`id="${chart}"`);
    expect(good.match(/Provenance: /g)).toHaveLength(4);
  });

  it('shows the failed as infinitely late, with its warnings and their remedies', async () => {
    const failing = await page(steady(300, true));
    expect(failing).toContain('not to be trusted');
    expect(failing).toContain('270 of 300 requests got a whole answer, 30 httpError');
    expect(failing).toContain('∞');
    expect(failing).toContain('requests-lost');
    expect(failing).toContain('status 503: busy');
  });

  it('says so where nothing succeeded, without a chart of nothing', async () => {
    const none = await page([
      { index: 0, scheduledMs: 0, tokenMs: [], endMs: 3, outcome: 'httpError', status: 500, failure: 'x' },
    ]);
    expect(none).toContain('0 % succeeded');
    expect(none).not.toContain('id="quantiles"');
    // What a reader sees, without the files within the page.
    const read = none.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/g, ' ');
    expect(read.match(/NaN|undefined|\bnull\b/)).toBeNull();
  });

  it('draws charts that are valid Vega-Lite', () => {
    const require = createRequire(import.meta.url);
    const schema = JSON.parse(readFileSync(require.resolve('vega-lite/vega-lite-schema.json'), 'utf8'));
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    const { report, records } = sampleRun(steady(120, true));
    const charts = loadCharts({
      report,
      series: collect(report, records, {}).series,
      host: HOST,
      command: null,
    });
    expect(charts.map(({ name }) => name)).toEqual(['latency-over-time', 'quantiles', 'rates', 'in-flight']);
    for (const chart of charts)
      for (const spec of [fullSpec(chart), bareSpec(chart)])
        expect(validate(spec), JSON.stringify(validate.errors?.[0])).toBe(true);
    expect(charts[1]!.alternative).toContain('TTFT from scheduled: p50 23');
  });

  it('has the command as it can be pasted', async () => {
    expect(await page(steady(5))).toContain(
      'tare load --url http://127.0.0.1:8000 --extra-body &#39;{&quot;a&quot;:&quot;it&#39;\\&#39;&#39;s&quot;}&#39;',
    );
  });

  it('holds text of the server as text only', async () => {
    const hostile = await hostileRun();
    expect(hostile).not.toContain('<img');
    expect(hostile).not.toContain('<b>x');
    expect(hostile.match(/<script/g)).toHaveLength(1);
    expect(hostile).toContain('&lt;img src=x');
  });
});

const missing = !existsSync(CHROMIUM);
describe.skipIf(missing)(
  missing ? 'load.html in Chromium (skipped: /usr/bin/chromium is missing)' : 'load.html in Chromium',
  () => {
    let dir: string;
    let browser: Browser;
    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'tare-load-page-'));
      await writeFile(join(dir, 'plain.html'), await page(steady(700)));
      await writeFile(join(dir, 'hostile.html'), await hostileRun());
      browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
    }, 120_000);
    afterAll(async () => {
      await browser?.close();
      await rm(dir, { recursive: true, force: true });
    });

    it.each([
      ['plain', 360, 'light'],
      ['plain', 360, 'dark'],
      ['plain', 1280, 'light'],
      ['plain', 1280, 'dark'],
      ['hostile', 360, 'light'],
      ['hostile', 1280, 'dark'],
    ] as const)(
      '%s at %i px, %s: no message, no request, nothing wider than the window, no script but its own',
      async (name, width, colorScheme) => {
        const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
        const shown = await context.newPage();
        const faults: string[] = [];
        shown.on('console', (message) => faults.push(`console: ${message.text()}`));
        shown.on('pageerror', (error) => faults.push(`error: ${error.message}`));
        shown.on('request', (request) => {
          if (!/^(file|data):/.test(request.url())) faults.push(`request: ${request.url()}`);
        });
        await shown.goto(pathToFileURL(join(dir, `${name}.html`)).href);
        expect(await shown.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(faults).toEqual([]);
        expect(await shown.title()).toBe('Tare: a load run');
        // No name at a line's end is cut off, whatever font is there.
        const cut = await shown.$$eval('.chart svg', (drawings) =>
          drawings.flatMap((drawing) => {
            type Box = { right: number };
            const svg = drawing as unknown as {
              getBoundingClientRect(): Box;
              querySelectorAll(
                selector: string,
              ): Iterable<{ textContent: string; getBoundingClientRect(): Box }>;
            };
            const { right } = svg.getBoundingClientRect();
            return [...svg.querySelectorAll('text')]
              .filter((text) => text.getBoundingClientRect().right > right + 0.5)
              .map((text) => text.textContent);
          }),
        );
        expect(cut).toEqual([]);
        const paper = await shown.evaluate('getComputedStyle(document.body).backgroundColor');
        expect(paper).toBe(colorScheme === 'dark' ? 'rgb(15, 20, 25)' : 'rgb(255, 255, 255)');
        await context.close();
      },
    );
  },
);
