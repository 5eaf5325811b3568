/** The files that the page hands out, saved in a real browser. Skipped by name where there is no Chromium. */
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeReports } from '../../reports/write.ts';
import { ARGS, CHROMIUM } from './chromium.ts';
import { sampleDocument } from './sample.ts';

const missing = !existsSync(CHROMIUM);
/** Forty characters, the longest that is drawn whole; wide ones, and markup. */
const LONG = '-WWWWMMMM<b>&"forty characters';

interface Box {
  readonly x: number;
  readonly width: number;
}

describe.skipIf(missing)(
  missing ? 'saving charts in Chromium (skipped: /usr/bin/chromium is missing)' : 'saving charts in Chromium',
  () => {
    let dir: string;
    let browser: Browser;

    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'tare-save-'));
      const document = sampleDocument({ rates: [50, 400, 1600], repetitions: 2, hostile: LONG });
      await writeReports(document, join(dir, 'beside'));
      await mkdir(join(dir, 'alone'));
      await cp(join(dir, 'beside', 'report.html'), join(dir, 'alone', 'report.html'));
      browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
    }, 240_000);
    afterAll(async () => {
      await browser?.close();
      await rm(dir, { recursive: true, force: true });
    });

    const beside = (path: string) => readFile(join(dir, 'beside', path));
    async function open(folder: string, colorScheme: 'light' | 'dark', javaScriptEnabled = true) {
      const context = await browser.newContext({ colorScheme, javaScriptEnabled });
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('console', (message) => faults.push(message.text()));
      page.on('pageerror', (error) => faults.push(error.message));
      await page.goto(pathToFileURL(join(dir, folder, 'report.html')).href);
      return { page, faults, close: () => context.close() };
    }
    async function save(page: Page, name: string): Promise<{ name: string; content: Buffer }> {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.click(`a[download="${name}"]`),
      ]);
      return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
    }

    it('a page alone, in its dark theme, hands out the very files that lie beside it elsewhere', async () => {
      const { page, faults, close } = await open('alone', 'dark');
      for (const path of [
        'charts/bias-ttft-p50.svg',
        'charts/ttft.csv',
        'charts/cpu-threads.svg',
        'bias.csv',
        'trials.csv',
      ]) {
        const name = path.split('/').at(-1)!;
        const saved = await save(page, name);
        expect(saved.name).toBe(name);
        expect(saved.content.equals(await beside(path)), path).toBe(true);
      }
      expect(faults).toEqual([]);
      await close();
    }, 60_000);

    it('draws PNG at twice the size of the SVG, on white, with something on it', async () => {
      const { page, faults, close } = await open('alone', 'dark');
      const { name, content } = await save(page, 'decomposition.png');
      expect(name).toBe('decomposition.png');
      expect(content.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
      const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(
        String(await beside('charts/decomposition.svg')),
      )!;
      expect([content.readUInt32BE(16), content.readUInt32BE(20)]).toEqual([
        2 * Number(width),
        2 * Number(height),
      ]);
      // Some 300 kB of picture: an empty one of that size is a few.
      expect(content.length).toBeGreaterThan(50_000);
      expect(faults).toEqual([]);
      await close();
    }, 60_000);

    it('every saved SVG renders, and nothing in it is cut, whatever font there is', async () => {
      const { page, close } = await open('beside', 'light');
      const names = await page.$$eval('a[download$=".svg"]', (found) =>
        found.map((link) => link.getAttribute('download')!),
      );
      expect(names.length).toBeGreaterThan(10);
      for (const name of names) {
        await page.goto(pathToFileURL(join(dir, 'beside', 'charts', name)).href);
        const cut = await page.$$eval('text', (found) => {
          const root = (
            found[0] as unknown as { ownerSVGElement: { getBoundingClientRect(): Box } }
          ).ownerSVGElement.getBoundingClientRect();
          return (found as unknown as { textContent: string; getBoundingClientRect(): Box }[]).flatMap(
            (text) => {
              const { x, width } = text.getBoundingClientRect();
              return x < root.x - 0.5 || x + width > root.x + root.width + 0.5 ? [text.textContent] : [];
            },
          );
        });
        expect(cut, name).toEqual([]);
      }
      await close();
    }, 120_000);

    it('in the page no word of a chart is cut either', async () => {
      const { page, close } = await open('beside', 'light');
      const cut = await page.$$eval('.chart svg', (charts) =>
        (
          charts as unknown as { getBoundingClientRect(): Box; querySelectorAll(of: string): unknown }[]
        ).flatMap((svg) => {
          const root = svg.getBoundingClientRect();
          const texts = svg.querySelectorAll('text') as Iterable<{
            textContent: string;
            getBoundingClientRect(): Box;
          }>;
          return [...texts].flatMap((text) => {
            const { x, width } = text.getBoundingClientRect();
            return x < root.x - 0.5 || x + width > root.x + root.width + 0.5 ? [text.textContent] : [];
          });
        }),
      );
      expect(cut).toEqual([]);
      await close();
    }, 60_000);

    it('without a script its links lead to the files beside it', async () => {
      const { page, close } = await open('beside', 'light', false);
      const links = await page
        .locator('a[download]')
        .evaluateAll((found) => found.map((link) => link.getAttribute('href')!));
      expect(links.length).toBeGreaterThan(30);
      for (const link of links) expect(existsSync(join(dir, 'beside', link)), link).toBe(true);
      await close();
    }, 60_000);
  },
);
