/** The page in a real browser, opened as a file. Skipped by name where there is no Chromium. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './axe.ts';
import { ARGS, CHROMIUM } from './chromium.ts';
import { hostileCopy } from './hostile.ts';
import { sampleDocument } from './sample.ts';
import { writePage } from './written-page.ts';

/** What of the browser's element is used in it; the project is compiled without the DOM's types. */
interface Box {
  scrollLeft: number;
  readonly scrollWidth: number;
  readonly clientWidth: number;
  querySelectorAll(selector: string): Iterable<Box> & { readonly [index: number]: Box };
  getBoundingClientRect(): { readonly right: number; readonly width: number };
  getAttribute(name: string): string | null;
}
interface Scroller extends Box {
  readonly scrollHeight: number;
  readonly clientHeight: number;
  readonly tabIndex: number;
}
declare function getComputedStyle(box: Box, part: string): { readonly content: string };

const missing = !existsSync(CHROMIUM);
describe.skipIf(missing)(
  missing ? 'report.html in Chromium (skipped: /usr/bin/chromium is missing)' : 'report.html in Chromium',
  () => {
    let dir: string;
    let browser: Browser;

    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'tare-page-'));
      await writePage(sampleDocument({ rates: [50, 400, 1600], repetitions: 2 }), join(dir, 'plain'));
      await writePage(
        hostileCopy(
          sampleDocument({ rates: [50, 1600], repetitions: 1, clients: ['asyncio', 'genai-perf', 'k6'] }),
        ),
        join(dir, 'hostile'),
      );
      // Enough rates below saturation for a queue model, so that axe sees its section.
      await writePage(
        sampleDocument({ rates: [50, 100, 200, 400, 800], repetitions: 2, clients: ['asyncio'] }),
        join(dir, 'models'),
      );
      browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
    }, 120_000);
    afterAll(async () => {
      await browser?.close();
      await rm(dir, { recursive: true, force: true });
    });

    /** Opens a page and gives what went wrong on it: console messages, errors, requests beyond the file itself. */
    async function open(
      folder: string,
      width: number,
      colorScheme: 'light' | 'dark' = 'light',
      options: BrowserContextOptions = {},
    ) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, ...options });
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('dialog', (dialog) => {
        faults.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on('framenavigated', (frame) => {
        if (frame !== page.mainFrame()) faults.push(`frame: ${frame.url()}`);
      });
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
          rows.map((row) => {
            const { dataset, textContent } = (
              row as unknown as { cells: { dataset: { n?: string }; textContent: string }[] }
            ).cells[i]!;
            return dataset.n ?? (textContent === '–' ? '' : textContent);
          }),
        index,
      );

    const cells = (page: Page, table: string, index: number) =>
      page.$$eval(
        `#${table} tbody tr:not([hidden])`,
        (rows, i) =>
          rows.map((row) => (row as unknown as { cells: { textContent: string }[] }).cells[i]!.textContent),
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
      const { page, faults, close } = await open('hostile', 360);
      const outside =
        'img, iframe, base, object, embed, a[href^="javascript:" i], svg svg, body style, [onload], [onerror]';
      expect(await page.$$eval(outside, (found) => found.map((one) => one.outerHTML))).toEqual([]);
      expect(await page.$$eval('script', (found) => found.length)).toBe(1);
      expect(
        await page.$$eval('a[href]', (found) =>
          found
            .map((a) => a.getAttribute('href')!.slice(0, 5))
            .filter((to) => !/^(?:#|chart|bias\.|trial)/.test(to)),
        ),
      ).toEqual([]);
      const verdict = (await page.textContent('.verdicts li'))!;
      expect(verdict).toContain('<img src=x onerror="document.title=\'owned\'">');
      expect(verdict).toContain('مرحبا שלום 日本語');
      // Everything that could be opened, clicked or copied.
      await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
      await page.evaluate("document.querySelectorAll('button').forEach((one) => { one.click(); })");
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      const text = (await page.evaluate('document.body.textContent')) as string;
      expect(text).not.toMatch(
        /[^\P{Cc}\n]|[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\u{e0000}-\u{e007f}]/u,
      );
      expect(text).not.toContain('[31m');
      expect(await page.title()).toBe('Tare: what the benchmark clients add');
      expect(faults).toEqual([]);
      await close();
    });

    it.each([
      ['plain', 360, 'light'],
      ['plain', 1280, 'dark'],
      ['hostile', 360, 'dark'],
      ['hostile', 1280, 'light'],
      ['models', 360, 'light'],
    ] as const)(
      '%s at %i px, %s: axe finds no violation',
      async (folder, width, scheme) => {
        const { page, close } = await open(folder, width, scheme);
        await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
        if (folder === 'models') expect(await page.locator('#model-1-rates').count()).toBe(1);
        expect(await violations(page)).toEqual([]);
        await close();
      },
      60_000,
    );

    it('works without a script: all is there, and nothing that would need one', async () => {
      const { page, close } = await open('plain', 1280, 'light', { javaScriptEnabled: false });
      expect(
        await page.locator('.filters:visible, .copy:visible, th button, .scripted:visible').count(),
      ).toBe(0);
      expect(await page.locator('#trials-table tbody tr:visible').count()).toBe(30);
      const details = page.locator('details summary').first();
      await details.click();
      expect(await page.locator('details[open]').count()).toBe(1);
      await close();
    });

    it('leads by keyboard past the head, and shows where one is', async () => {
      const { page, close } = await open('plain', 1280);
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.className')).toBe('skip');
      await page.keyboard.press('Enter');
      expect(new URL(page.url()).hash).toBe('#verdict');
      await page.keyboard.press('Tab');
      expect(await page.evaluate("document.activeElement.closest('main') !== null")).toBe(true);
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
      await close();
    });

    it('only boxes that scroll are stops for the keyboard', async () => {
      for (const width of [360, 1280]) {
        const { page, close } = await open('plain', width);
        const boxes = await page.$$eval('.chart, .scroll', (found) =>
          (found as unknown as Scroller[]).map((box) => [
            box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight,
            box.tabIndex === 0,
          ]),
        );
        for (const [scrolls, stop] of boxes) expect(stop).toBe(scrolls);
        expect(boxes.some(([scrolls]) => scrolls)).toBe(true);
        await close();
      }
    });

    it('copies a command by keyboard, and says so', async () => {
      const { page, close } = await open('plain', 1280, 'light', {
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      const button = page.locator('[data-copy=command-audit]');
      expect(await button.textContent()).toBe('Copy the command of the audit');
      await button.focus();
      await page.keyboard.press('Enter');
      await page.waitForFunction("document.getElementById('copied').textContent !== ''");
      expect(await page.textContent('#copied')).toBe('Copied: the command of the audit');
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        await page.textContent('#command-audit'),
      );
      expect(await page.textContent('#command-audit')).toMatch(/^tare audit --client tare-multi /);
      await close();
    });

    it('has every trial’s own command, and how each client is installed', async () => {
      const { page, close } = await open('plain', 1280);
      expect(await page.locator('.commands .command').count()).toBe(15);
      // The other repetition of each follows from it.
      expect(await page.locator('.commands ul ul li').count()).toBe(15);
      const install = await page.textContent('#command-clients');
      expect(install).toContain('tare setup asyncio   # 1.0 (aiohttp 3.13.2, Python 3.11.2)');
      expect(install).toContain('# k6 2.2.0');
      expect(install).toContain('# vllm-bench was not installed here: tare setup vllm-bench');
      await close();
    });

    it('prints light, with all details open, nothing cut at the edge of the paper', async () => {
      const { page, close } = await open('plain', 700, 'dark');
      await page.emulateMedia({ media: 'print' });
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
        'rgb(255, 255, 255)',
      );
      await page.evaluate("dispatchEvent(new Event('beforeprint'))");
      expect(await page.locator('details:not([open])').count()).toBe(0);
      expect(
        await page.locator('nav:visible, .copy:visible, .filters:visible, .downloads:visible').count(),
      ).toBe(0);
      // A4 less its margins is 700 px wide.
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(700);
      await page.evaluate("dispatchEvent(new Event('afterprint'))");
      expect(await page.locator('details[open]').count()).toBe(0);
      await close();
    });

    it('sorts a column both ways, absent figures last, by mouse and by keyboard', async () => {
      const { page, close } = await open('plain', 1280);
      const head = page.locator('#findings-table th', { hasText: 'printed ms' });
      await head.locator('button').click();
      expect(await head.getAttribute('aria-sort')).toBe('ascending');
      const at = await head.evaluate((one) => (one as unknown as { cellIndex: number }).cellIndex);
      const up = await column(page, 'findings-table', at);
      await head.locator('button').focus();
      await page.keyboard.press('Enter');
      expect(await head.getAttribute('aria-sort')).toBe('descending');
      const down = await column(page, 'findings-table', at);
      const figures = (values: string[]) => values.filter((value) => value !== '').map(Number);
      expect(figures(up)).toEqual([...figures(up)].sort((a, b) => a - b));
      expect(figures(down)).toEqual([...figures(up)].reverse());
      expect(up.indexOf('')).toBe(figures(up).length);
      expect(down.indexOf('')).toBe(figures(up).length);
      await close();
    });

    it('rows that are alike stay in their order, text is sorted as text, numbers in it as numbers', async () => {
      const { page, close } = await open('plain', 1280);
      const head = (words: string) => page.locator('#trials-table th', { hasText: words }).locator('button');
      const both = async () => {
        const [clients, rates] = [await cells(page, 'trials-table', 2), await cells(page, 'trials-table', 3)];
        return clients.map((client, i) => `${client} ${rates[i]}`);
      };
      await head('asked /s').click();
      await head('client').click();
      const sorted = await both();
      const names = ['asyncio', 'drifter', 'genai-perf', 'k6', 'tare-multi'];
      const rates = ['50', '50', '400', '400', '1,600', '1,600'];
      expect(sorted).toEqual(names.flatMap((name) => rates.map((rate) => `${name} ${rate}`)));
      await head('client').click();
      expect(await both()).toEqual(
        names.toReversed().flatMap((name) => rates.map((rate) => `${name} ${rate}`)),
      );
      await close();
    });

    it('filters by client, figure, rate and text, says how many rows are left, and clears', async () => {
      const { page, faults, close } = await open('plain', 1280);
      const form = page.locator('[data-filters=findings-table]');
      await form.locator('select[name=client]').selectOption('k6');
      await form.locator('select[name=figure]').selectOption('TTFT p99');
      expect(await column(page, 'findings-table', 1)).toEqual(['50', '400', '1600']);
      expect(await form.locator('output').textContent()).toBe('3 of 300 rows');
      await form.locator('select[name=rate]').selectOption('400');
      expect(await column(page, 'findings-table', 1)).toEqual(['400']);
      await form.locator('input').fill('  NO SUCH thing ');
      expect(await form.locator('output').textContent()).toBe('0 of 300 rows');
      await form.locator('input').press('Enter');
      await form.locator('button[type=reset]').click();
      await page.waitForFunction(
        "document.querySelector('[data-filters=findings-table] output').textContent === '300 of 300 rows'",
      );
      const trials = page.locator('[data-filters=trials-table]');
      await trials.locator('select[name=outcome]').selectOption('client failed');
      expect(await cells(page, 'trials-table', 4)).toEqual(['client failed', 'client failed']);
      await trials.locator('select[name=outcome]').selectOption('');
      await trials.locator('input').fill('Connection RESET');
      expect(await trials.locator('output').textContent()).toBe('2 of 30 rows');
      expect(faults).toEqual([]);
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
      expect(
        await page.$$eval('h1, h2, h3, h4', (found) => found.map((one) => one.tagName).join(' ')),
      ).toMatch(/^H1 H2( H[234])+$/);
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
