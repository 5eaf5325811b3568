import type { Page } from 'playwright-core';

/** The browser that pages are opened in, without what would ask the network by itself. */
export const CHROMIUM = '/usr/bin/chromium';
export const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** What goes wrong on a page from now on, as it comes: console messages, errors, requests beyond the file itself. */
export function faultsOf(page: Page): string[] {
  const faults: string[] = [];
  page.on('console', (message) => faults.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!/^(file|data):/.test(request.url())) faults.push(`request: ${request.url()}`);
  });
  return faults;
}
