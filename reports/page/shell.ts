/** What every page of ours stands in: one file that needs nothing else, and a policy that lets nothing else in. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { asset } from '../../src/system/package-root.ts';
import { type Html, html, trusted } from '../html.ts';
import { oneLine } from '../text.ts';

export interface Shell {
  readonly title: string;
  /** The first link, for those who come by keyboard: its target and its words. */
  readonly skip: readonly [anchor: string, words: string];
  /** Files of the package, one after the other; the pages’ common ones come first. */
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
}

const joined = (files: readonly string[]): string =>
  files.map((file) => readFileSync(asset(file), 'utf8')).join('');

/** `2025-11-29 12:00 UTC` of an ISO instant; anything else as it is. */
export const instant = (iso: string): string =>
  oneLine(iso).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/, '$1 $2 UTC');

/** The whole text of a page: no other script than its own, no request at all. */
export function pageText({ title, skip: [anchor, words], styles, scripts }: Shell, body: Html): string {
  const style = joined(['reports/page/browser.css', ...styles]);
  const script = joined(['reports/page/browser.js', ...scripts]);
  const hash = createHash('sha256').update(script).digest('base64');
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${trusted(style)}</style>
</head>
<body>
<a class="skip" href="#${anchor}">${words}</a>
${body}
<script>${trusted(script)}</script>
</body>
</html>
`.text;
}
