/** The pages of the other reports in a real browser: axe finds nothing, and nothing is wider than the window. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { envelopePage } from '../../reports/envelope/page.ts';
import { violations } from './axe.ts';
import { ARGS, CHROMIUM } from './chromium.ts';
import { envelopeSample } from './envelope-sample.ts';

const missing = !existsSync(CHROMIUM);

describe.skipIf(missing)(
  missing ? 'other pages in Chromium (skipped: /usr/bin/chromium is missing)' : 'other pages in Chromium',
  () => {
    let dir: string;
    let browser: Browser;
    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'tare-pages-'));
      await writeFile(join(dir, 'envelope.html'), envelopePage(await envelopeSample()));
      browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
    }, 120_000);
    afterAll(async () => {
      await browser?.close();
      await rm(dir, { recursive: true, force: true });
    });

    it.each([
      ['envelope', 360, 'light'],
      ['envelope', 1280, 'dark'],
    ] as const)(
      '%s.html at %i px, %s',
      async (name, width, colorScheme) => {
        const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
        await page.goto(pathToFileURL(join(dir, `${name}.html`)).href);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(await violations(page)).toEqual([]);
        await page.close();
      },
      60_000,
    );
  },
);
