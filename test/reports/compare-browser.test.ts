/** compare.html in a real browser, opened as a file. Skipped by name where there is no Chromium. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { told } from '../../reports/compare/words.ts';
import { compareFiles, writeComparison } from '../../reports/compare/write.ts';
import { again, compare, shifted } from '../audit/compare-audits/pair.ts';
import { ARGS, CHROMIUM, faultsOf } from './chromium.ts';
import { sampleDocument } from './sample.ts';

const missing = !existsSync(CHROMIUM);
const HOSTILE = `<img src=x onerror="document.title='owned'"></script><script>document.title='owned'</script>"onload="x`;

describe.skipIf(missing)(
  missing ? 'compare.html in Chromium (skipped: /usr/bin/chromium is missing)' : 'compare.html in Chromium',
  () => {
    let dir: string;
    let browser: Browser;

    async function write(name: string, hostile?: string): Promise<void> {
      const a = sampleDocument({
        clients: ['asyncio', 'k6'],
        rates: [100, 400],
        ...(hostile === undefined ? {} : { hostile }),
      });
      const client = a.clients[0]!.name;
      const b = again(shifted(a, { client, rate: 400, metric: 'ttft', statistic: 'p99', by: 40 }));
      const document = told(compare(a, b, { folderA: hostile ?? 'a', folderB: hostile ?? 'b' }));
      await writeComparison(await compareFiles(document, a, b), join(dir, name));
    }

    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'tare-compare-page-'));
      await write('plain');
      await write('hostile', HOSTILE);
      browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
    }, 120_000);
    afterAll(async () => {
      await browser?.close();
      await rm(dir, { recursive: true, force: true });
    });

    async function open(folder: string, width: number, colorScheme: 'light' | 'dark') {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      const page = await context.newPage();
      const faults = faultsOf(page);
      await page.goto(pathToFileURL(join(dir, folder, 'compare.html')).href);
      return { page, faults, close: () => context.close() };
    }

    it.each([
      ['plain', 360, 'light'],
      ['plain', 1280, 'dark'],
      ['hostile', 360, 'dark'],
      ['hostile', 1280, 'light'],
    ] as const)(
      '%s at %i px, %s: no message, no request, nothing wider than the window',
      async (folder, width, scheme) => {
        const { page, faults, close } = await open(folder, width, scheme);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(faults).toEqual([]);
        expect(await page.title()).toBe('Tare: what changed between two audits');
        expect(await page.$$eval('img, script', (found) => found.length)).toBe(1);
        await close();
      },
    );

    it('says first what changed, and has it first in the table, which filters', async () => {
      const { page, close } = await open('plain', 1280, 'light');
      expect(await page.textContent('.verdicts li')).toMatch(
        /worse\s*asyncio: worse at 400\/s: TTFT p99 \+40\.0 ms/,
      );
      expect(await page.textContent('#figures-table tbody tr')).toMatch(/^asyncio400TTFT p99, ms/);
      await page.locator('[data-filters=figures-table] select[name=client]').selectOption('k6');
      expect(await page.textContent('[data-filters=figures-table] output')).toBe('32 of 64 rows');
      await page.locator('[data-filters=conditions-table] select[name=state]').selectOption('differs');
      expect(await page.textContent('[data-filters=conditions-table] output')).toMatch(/^0 of \d+ rows$/);
      await close();
    });

    it('draws no text beyond the edge of a chart, whatever font the reader has', async () => {
      const { page, close } = await open('plain', 1280, 'light');
      interface Box {
        querySelectorAll(selector: string): Iterable<Box>;
        getBoundingClientRect(): { readonly right: number };
      }
      const over = await page.$$eval('.chart svg', (charts) =>
        (charts as unknown as Box[]).flatMap((svg) => {
          const edge = svg.getBoundingClientRect().right;
          return [...svg.querySelectorAll('text')].map((text) => text.getBoundingClientRect().right - edge);
        }),
      );
      expect(over.length).toBeGreaterThan(20);
      expect(Math.max(...over)).toBeLessThanOrEqual(0);
      await close();
    });

    it('names every figure, table and control for a screen reader', async () => {
      const { page, close } = await open('plain', 1280, 'light');
      expect(
        await page.$$eval('figure', (found) =>
          found.every(
            (one) => (one.querySelector('[role=img]')?.getAttribute('aria-label') ?? '').length > 80,
          ),
        ),
      ).toBe(true);
      expect(
        await page.$$eval('table', (found) =>
          found.every(
            (one) =>
              one.querySelector('caption') !== null &&
              [...one.querySelectorAll('thead th')].every(
                (th) => th.getAttribute('scope') === 'col' && (th.textContent ?? '').trim() !== '',
              ),
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
  },
);
