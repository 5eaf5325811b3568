/** The page in a real browser, opened as a file. Skipped by name where there is no Chromium. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeReports } from '../../reports/write.ts';
import { ARGS, CHROMIUM } from './chromium.ts';
import { sampleDocument } from './sample.ts';

/** What of the browser's element is used in it; the project is compiled without the DOM's types. */
interface Box {
  scrollLeft: number;
  readonly scrollWidth: number;
  readonly clientWidth: number;
  querySelectorAll(selector: string): Iterable<Box> & { readonly [index: number]: Box };
  getBoundingClientRect(): { readonly right: number; readonly width: number };
  getAttribute(name: string): string | null;
}
declare function getComputedStyle(box: Box, part: string): { readonly content: string };

const missing = !existsSync(CHROMIUM);
const HOSTILE = `<img src=x onerror="document.title='owned'"></script><script>document.title='owned'</script>"onload="x`;

describe.skipIf(missing)(
  missing ? 'report.html in Chromium (skipped: /usr/bin/chromium is missing)' : 'report.html in Chromium',
  () => {
    let dir: string;
    let browser: Browser;

    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'tare-page-'));
      await writeReports(sampleDocument({ rates: [50, 400, 1600], repetitions: 2 }), join(dir, 'plain'));
      await writeReports(
        sampleDocument({ rates: [50, 1600], repetitions: 1, hostile: HOSTILE }),
        join(dir, 'hostile'),
      );
      browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
    }, 120_000);
    afterAll(async () => {
      await browser?.close();
      await rm(dir, { recursive: true, force: true });
    });

    /** Opens a page and gives what went wrong on it: console messages, errors, requests beyond the file itself. */
    async function open(folder: string, width: number, colorScheme: 'light' | 'dark' = 'light') {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('console', (message) => faults.push(`console: ${message.text()}`));
      page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
      page.on('request', (request) => {
        if (!/^(file|data):/.test(request.url())) faults.push(`request: ${request.url()}`);
      });
      await page.goto(pathToFileURL(join(dir, folder, 'report.html')).href);
      return { page, faults, close: () => context.close() };
    }

    const column = (page: Page, table: string, index: number) =>
      page.$$eval(
        `#${table} tbody tr:not([hidden])`,
        (rows, i) =>
          rows.map(
            (row) =>
              (row as unknown as { cells: { dataset: { value?: string }; textContent: string }[] }).cells[i]!
                .dataset.value ?? '',
          ),
        index,
      );

    it.each([
      ['plain', 360, 'light'],
      ['plain', 360, 'dark'],
      ['plain', 1280, 'light'],
      ['plain', 1280, 'dark'],
      ['hostile', 360, 'light'],
      ['hostile', 1280, 'dark'],
    ] as const)(
      '%s at %i px, %s: no message, no request, nothing wider than the window',
      async (folder, width, scheme) => {
        const { page, faults, close } = await open(folder, width, scheme);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(faults).toEqual([]);
        expect(await page.title()).toBe('Tare: what the benchmark clients add');
        await close();
      },
    );

    it('on a narrow screen a wide chart scrolls in its own box to its last name, and says so', async () => {
      const { page, close } = await open('plain', 390);
      const charts = await page.$$eval('.chart', (boxes) =>
        (boxes as unknown as Box[]).map((box) => {
          box.scrollLeft = 1e6;
          const hint = getComputedStyle(box, '::before').content;
          const right = Math.max(
            ...[...box.querySelectorAll('svg text')].map((text) => text.getBoundingClientRect().right),
          );
          return { hint: hint.includes('Scroll sideways'), wide: box.scrollWidth > box.clientWidth, right };
        }),
      );
      expect(charts.filter(({ wide }) => wide).length).toBeGreaterThan(0);
      for (const { hint, wide, right } of charts) {
        expect(hint).toBe(wide);
        expect(right).toBeLessThanOrEqual(390 - 16);
      }
      await close();
    });

    it('on a wide screen no chart scrolls, and none is drawn larger than it is', async () => {
      const { page, close } = await open('plain', 1280);
      const charts = await page.$$eval('.chart', (boxes) =>
        (boxes as unknown as Box[]).map((box) => {
          const svg = box.querySelectorAll('svg')[0]!;
          const hint = getComputedStyle(box, '::before').content;
          return [
            box.scrollWidth - box.clientWidth,
            svg.getBoundingClientRect().width - Number(svg.getAttribute('width')),
            hint,
          ];
        }),
      );
      expect(charts).toEqual(charts.map(() => [0, 0, 'none']));
      await close();
    });

    it('leaves hostile text inert and readable', async () => {
      const { page, close } = await open('hostile', 1280);
      expect(await page.$$eval('img, script', (found) => found.length)).toBe(1);
      expect(await page.textContent('.verdicts')).toContain('<img src=x onerror="document.title=\'owned\'">');
      await close();
    });

    it('sorts a column both ways, absent figures last, by mouse and by keyboard', async () => {
      const { page, close } = await open('plain', 1280);
      const head = page.locator('#findings-table th', { hasText: 'printed ms' });
      await head.locator('button').click();
      expect(await head.getAttribute('aria-sort')).toBe('ascending');
      const up = await column(page, 'findings-table', 3);
      await head.locator('button').focus();
      await page.keyboard.press('Enter');
      expect(await head.getAttribute('aria-sort')).toBe('descending');
      const down = await column(page, 'findings-table', 3);
      const figures = (values: string[]) => values.filter((value) => value !== '').map(Number);
      expect(figures(up)).toEqual([...figures(up)].sort((a, b) => a - b));
      expect(figures(down)).toEqual([...figures(up)].reverse());
      expect(up.indexOf('')).toBe(figures(up).length);
      expect(down.indexOf('')).toBe(figures(up).length);
      await close();
    });

    it('filters by client and figure, and says how many rows are left', async () => {
      const { page, close } = await open('plain', 1280);
      await page.locator('[data-filters=findings-table] select[name=client]').selectOption('k6');
      await page.locator('[data-filters=findings-table] select[name=figure]').selectOption('TTFT p99');
      expect(await column(page, 'findings-table', 1)).toEqual(['50', '400', '1600']);
      expect(await page.textContent('[data-filters=findings-table] output')).toBe('3 of 300 rows');
      await close();
    });

    it('hands out its files', async () => {
      const { page, close } = await open('plain', 1280);
      const links = await page.$$eval('a[download]', (found) =>
        found.map((link) => [link.getAttribute('download')!, link.getAttribute('href')!] as const),
      );
      expect(links).toContainEqual(['bias-ttft-p50.png', 'charts/bias-ttft-p50.png']);
      expect(links).toContainEqual(['bias.csv', 'bias.csv']);
      expect(await page.locator('#rate svg').count()).toBe(1);
      await close();
    });

    it('names every figure, table and control for a screen reader', async () => {
      const { page, close } = await open('plain', 1280);
      expect(
        await page.$$eval('figure', (found) =>
          found.every(
            (one) =>
              one.querySelector('h3, figcaption') &&
              (one.querySelector('[role=img]')?.getAttribute('aria-label') ?? '').length > 80,
          ),
        ),
      ).toBe(true);
      expect(
        await page.$$eval('table', (found) =>
          found.every(
            (one) =>
              one.querySelector('caption') !== null &&
              [...one.querySelectorAll('thead th')].every((th) => th.getAttribute('scope') === 'col'),
          ),
        ),
      ).toBe(true);
      expect(await page.$$eval('h1, h2, h3', (found) => found.map((one) => one.tagName).join(' '))).toMatch(
        /^H1 H2( H[23])+$/,
      );
      expect(
        await page.$$eval('[id]', (found) => found.length - new Set(found.map((one) => one.id)).size),
      ).toBe(0);
      await close();
    });

    it('draws charts in colours that follow the theme', async () => {
      const ink = async (scheme: 'light' | 'dark') => {
        const { page, close } = await open('plain', 1280, scheme);
        const fill = await page.evaluate("getComputedStyle(document.querySelector('#cpu svg text')).fill");
        await close();
        return fill;
      };
      expect(await ink('light')).not.toBe(await ink('dark'));
    });
  },
);
