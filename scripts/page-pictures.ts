/**
 * docs/img/report-1280.png and report-360.png: the first screen of a report.html in Chromium, as `node dist/scripts/page-pictures.js
 * REPORT.html [FOLDER]` finds it. Palette PNG, the same colours as on the screen but for a few at the edges of letters.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { indexedPng } from '../reports/charts/indexed-png.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Of the window, px. */
const SIZES = [
  { width: 1280, height: 900 },
  { width: 360, height: 780 },
] as const;

/** The browser takes the PNG apart by itself: its pixels, RGBA. */
async function pixels(page: Page, png: Buffer): Promise<Uint8Array> {
  const code = `(async () => {
    const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let text = '';
    for (let at = 0; at < data.length; at += 32768) text += String.fromCharCode(...data.subarray(at, at + 32768));
    return btoa(text);
  })()`;
  return Buffer.from((await page.evaluate(code)) as string, 'base64');
}

const [file, folder = 'docs/img'] = process.argv.slice(2);
if (file?.endsWith('.html') !== true) throw new Error('give a report.html');
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--headless', '--no-sandbox'] });
try {
  for (const viewport of SIZES) {
    const page = await browser.newPage({ viewport, colorScheme: 'light' });
    await page.goto(pathToFileURL(resolve(file)).href);
    const png = await page.screenshot();
    const path = join(folder, `report-${viewport.width}.png`);
    writeFileSync(path, indexedPng(await pixels(page, png), viewport.width, viewport.height));
    process.stdout.write(`${path}\n`);
    await page.close();
  }
} finally {
  await browser.close();
}
