/** probe.html in a real browser, opened as a file. Skipped by name where there is no Chromium. */

import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probePage } from '../../reports/probe/page.ts';
import { LOOK, verdictCounts } from '../../reports/probe/verdict-words.ts';
import { PROBE_VERDICTS } from '../../src/audit/probe/document.ts';
import { faultsOf } from './chromium.ts';
import { probeSample } from './probe-sample.ts';

const CHROMIUM = '/usr/bin/chromium';
const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
];
const HOSTILE = `<img src=x onerror="document.title='owned'"></script><script>document.title='owned'</script>\u0007\u202e"onload="x ${'very long '.repeat(60)}`;

/** What of the browser's elements is used in it; the project is compiled without the DOM's types. */
interface Element {
  readonly textContent: string;
  readonly className: string;
  readonly hash: string;
  readonly open: boolean;
  readonly parentElement: { readonly id: string };
  getBoundingClientRect(): { readonly top: number; readonly width: number; readonly height: number };
  getAttribute(name: string): string | null;
}
declare const document: { getElementById(id: string): Element | null };

const missing = !existsSync(CHROMIUM);
const sample = probeSample();
const pages = {
  six: sample,
  twenty: probeSample({ clients: 20, probes: 100 }),
  hostile: probeSample({ hostile: HOSTILE }),
  empty: { ...sample, clients: [], cells: [], probes: [] },
};

describe.skipIf(missing)(
  missing ? 'probe.html in Chromium (skipped: /usr/bin/chromium is missing)' : 'probe.html in Chromium',
  () => {
    let dir: string;
    let browser: Browser;

    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'tare-probe-page-'));
      for (const [name, one] of Object.entries(pages))
        await writeFile(join(dir, `${name}.html`), probePage(one));
      browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
    }, 120_000);
    afterAll(async () => {
      await browser?.close();
      await rm(dir, { recursive: true, force: true });
    });

    /** Opens a page and gives what went wrong on it: console messages, errors, requests beyond the file itself. */
    async function open(name: keyof typeof pages, options: BrowserContextOptions = {}, hash = '') {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
      const page = await context.newPage();
      const faults = faultsOf(page);
      await page.goto(pathToFileURL(join(dir, `${name}.html`)).href + hash);
      return { page, faults, close: () => context.close() };
    }

    it.each([
      ['six', 390, 'light'],
      ['six', 1280, 'dark'],
      ['twenty', 390, 'dark'],
      ['twenty', 1280, 'light'],
      ['hostile', 390, 'light'],
      ['hostile', 1280, 'dark'],
      ['empty', 390, 'light'],
    ] as const)(
      '%s at %i px, %s: no message, no request, nothing wider than the window',
      async (name, width, colorScheme) => {
        const { page, faults, close } = await open(name, { viewport: { width, height: 800 }, colorScheme });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(faults).toEqual([]);
        expect(await page.title()).toBe('Tare: what benchmark clients make of odd servers');
        await close();
      },
    );

    it('has a cell a client and probe, with the sign of its verdict; the legend counts them', async () => {
      const { page, close } = await open('six');
      const signs = await page.$$eval('.matrix td a', (links) => links.map((link) => link.textContent));
      expect(signs).toHaveLength(sample.cells.length);
      const counted = await page.$$eval('.legend .n', (found) =>
        found.map((one) => [one.getAttribute('data-verdict'), Number(one.textContent!.replace(',', ''))]),
      );
      expect(Object.fromEntries(counted)).toEqual(verdictCounts(sample.cells));
      for (const verdict of PROBE_VERDICTS)
        expect(signs.filter((sign) => sign === LOOK[verdict].sign).length, verdict).toBe(
          verdictCounts(sample.cells)[verdict],
        );
      await close();
    });

    it.each([true, false])(
      'each cell leads to its own visible detail (JavaScript: %s)',
      async (javaScriptEnabled) => {
        const { page, close } = await open('six', { javaScriptEnabled });
        const faulty = page.locator('.matrix td a.v-faulty').first();
        const hash = (await faulty.getAttribute('href'))!;
        const [probe, client] = hash.slice(1).split('.');
        await faulty.click();
        const detail = page.locator(`[id="${hash.slice(1)}"]`);
        const box = (await detail.locator('summary').boundingBox())!;
        expect(box.y).toBeGreaterThanOrEqual(0);
        expect(box.y).toBeLessThan(900);
        expect(await detail.locator('summary').textContent()).toContain(`${client} faulty`);
        expect(await detail.locator('table').isVisible()).toBe(javaScriptEnabled);
        if (!javaScriptEnabled) await detail.locator('summary').click();
        expect(await detail.locator('table').isVisible()).toBe(true);
        expect(await detail.textContent()).toContain(`tare probe --client ${client} --only ${probe}`);
        // The probe's name stays in sight above it.
        const heading = (await page.locator(`[id="probe.${probe}"] h3`).boundingBox())!;
        expect(heading.y).toBeGreaterThanOrEqual(0);
        expect(heading.y + heading.height).toBeLessThanOrEqual(box.y + 1);
        await close();
      },
    );

    it('no link leads nowhere, and no two places have one name', async () => {
      for (const name of ['twenty', 'hostile'] as const) {
        const { page, close } = await open(name);
        const dead = await page.$$eval('a[href^="#"]', (links) =>
          (links as unknown as Element[])
            .map((link) => link.hash.slice(1))
            .filter((id) => document.getElementById(id) === null),
        );
        expect(dead).toEqual([]);
        const ids = await page.$$eval('[id]', (found) => found.map(({ id }) => id));
        expect(new Set(ids).size).toBe(ids.length);
        await close();
      }
    });

    it('opens at a cell that the address names', async () => {
      const { page, close } = await open('six', {}, '#plain.tare');
      expect(await page.locator('[id="plain.tare"] table').isVisible()).toBe(true);
      await close();
    });

    it('heads of the matrix stay in sight while it scrolls, both ways', async () => {
      const { page, close } = await open('twenty', { viewport: { width: 390, height: 800 } });
      await page.locator('.matrix').evaluate((box) => box.scrollIntoView());
      await page.locator('.matrix').evaluate((box) => box.scrollTo(200, 900));
      const box = (await page.locator('.matrix').boundingBox())!;
      const head = (await page.locator('.matrix thead th').first().boundingBox())!;
      expect(head.y).toBeCloseTo(box.y + 1, 0);
      expect(head.x).toBeCloseTo(box.x + 1, 0);
      const row = (await page.locator('.matrix tbody tr:not(.group) th').nth(40).boundingBox())!;
      expect(row.x).toBeCloseTo(box.x + 1, 0);
      await close();
    });

    it('shows only probes with a fault or a crash when asked, and says how many', async () => {
      const { page, close } = await open('six');
      await page.locator('.only input').check();
      const wanted = new Set(
        sample.cells.filter(({ verdict }) => /faulty|crashed/.test(verdict)).map(({ probe }) => probe),
      ).size;
      expect(await page.locator('.matrix tbody tr:not(.group):visible').count()).toBe(wanted);
      expect(await page.locator('.only output').textContent()).toBe(
        `${wanted} of ${sample.probes.length} probes`,
      );
      await page.locator('.only input').uncheck();
      expect(await page.locator('.matrix tbody tr:not(.group):visible').count()).toBe(sample.probes.length);
      await close();
    });

    it('leaves hostile text inert and readable', async () => {
      const { page, close } = await open('hostile');
      expect(await page.$$eval('img, script', (found) => found.length)).toBe(1);
      expect(await page.textContent('.matrix thead')).toContain('vllm<img src=x on');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
      expect(await page.textContent('body')).not.toMatch(/[\u0007\u202e]/);
      await close();
    });

    it('shows what is sent with its control characters spelled', async () => {
      const { page, close } = await open('six');
      const sent = page.locator('[id="probe.plain"] .sent');
      await sent.locator('summary').click();
      expect(await sent.textContent()).toContain('HTTP/1.1 200 OK\\r\\n');
      expect(await sent.textContent()).toContain('45 more writes like this, 20 ms apart');
      await close();
    });
  },
);

describe('probe.html', () => {
  it('stays below 3 MB with 20 clients under 100 probes, and is the same each time', () => {
    const page = probePage(pages.twenty);
    expect(Buffer.byteLength(page)).toBeLessThan(3e6);
    expect(probePage(probeSample({ clients: 20, probes: 100 }))).toBe(page);
  });
});
