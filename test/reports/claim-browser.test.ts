/** claim.html in a real browser, opened as a file. Skipped by name where there is no Chromium. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimPage } from '../../reports/claim/page.ts';
import { violations } from './axe.ts';
import { ARGS, CHROMIUM, faultsOf } from './chromium.ts';
import { bareSample, claimSample, hostileSample } from './claim-sample.ts';

const missing = !existsSync(CHROMIUM);
const pages = { sample: claimSample(), hostile: hostileSample(), bare: bareSample() };

describe.skipIf(missing)(
  missing ? 'claim.html in Chromium (skipped: /usr/bin/chromium is missing)' : 'claim.html in Chromium',
  () => {
    let dir: string;
    let browser: Browser;

    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'tare-claim-page-'));
      for (const [name, document] of Object.entries(pages))
        await writeFile(join(dir, `${name}.html`), await claimPage(document));
      browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
    }, 120_000);
    afterAll(async () => {
      await browser?.close();
      await rm(dir, { recursive: true, force: true });
    });

    it.each([
      ['sample', 360, 'light'],
      ['sample', 1280, 'dark'],
      ['hostile', 360, 'dark'],
      ['hostile', 1280, 'light'],
      ['bare', 360, 'light'],
    ] as const)(
      '%s at %i px, %s: no message, no request, nothing wider than the window, the verdict in sight',
      async (name, width, colorScheme) => {
        const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
        const page = await context.newPage();
        const faults = faultsOf(page);
        await page.goto(pathToFileURL(join(dir, `${name}.html`)).href);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(await page.title()).toMatch(/: a claim, audited by Tare$/);
        if (name !== 'hostile') expect(await page.title()).toContain(pages[name].claim.title);
        const verdict = page.locator('#verdict');
        expect(await verdict.textContent()).toContain(pages[name].verdict);
        if (name !== 'hostile') expect((await verdict.boundingBox())!.y).toBeLessThan(800);
        // Every link within the page leads somewhere.
        const lost = await page.evaluate(
          '[...document.querySelectorAll(\'a[href^="#"]\')].map((a) => a.hash.slice(1)).filter((id) => document.getElementById(id) === null)',
        );
        expect(lost).toEqual([]);
        expect(faults).toEqual([]);
        await context.close();
      },
    );

    it.each([
      ['sample', 360, 'light'],
      ['sample', 1280, 'dark'],
      ['hostile', 360, 'dark'],
      ['hostile', 1280, 'light'],
      ['bare', 360, 'dark'],
    ] as const)(
      '%s at %i px, %s: axe finds no violation',
      async (name, width, colorScheme) => {
        const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
        const page = await context.newPage();
        await page.goto(pathToFileURL(join(dir, `${name}.html`)).href);
        await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
        expect(await violations(page)).toEqual([]);
        await context.close();
      },
      60_000,
    );

    it.each([360, 1280])(
      'shows each chart of a sweep whole at %i px, with the names of its lines',
      async (width) => {
        const page = await browser.newPage({ viewport: { width, height: 800 } });
        await page.goto(pathToFileURL(join(dir, 'sample.html')).href);
        const charts = page.locator('#sweep ~ figure .chart:visible svg');
        expect(await charts.count()).toBe(2);
        for (const chart of await charts.all()) {
          const box = (await chart.boundingBox())!;
          expect(box.x + box.width).toBeLessThanOrEqual(width);
          expect(box.width).toBeGreaterThan(250);
        }
        const named = page.locator(width === 360 ? '.legend li:visible' : '.chart.large:visible text');
        expect((await named.allTextContents()).join(' ')).toContain('a, sweep');
        await page.close();
      },
    );

    it('tells each figure and each point of the checklist once, with the word of its verdict', async () => {
      const page = await browser.newPage();
      await page.goto(pathToFileURL(join(dir, 'sample.html')).href);
      expect(await page.locator('section[aria-labelledby="figures"] .figure').count()).toBe(
        pages.sample.figures.length,
      );
      const states = await page.locator('section[aria-labelledby="checklist"] .badge').allTextContents();
      expect(states).toEqual(pages.sample.checklist.map(({ state }) => state));
      await page.close();
    });
  },
);
