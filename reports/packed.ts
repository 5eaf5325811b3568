/**
 * Files inside a page, packed. A page that is sent alone can hand them out (reports/charts/browser.js unpacks them at the click); beside its
 * results folder its links lead to the same files without any script.
 */
import { deflateSync } from 'node:zlib';
import { type Html, html } from './html.ts';

/** Content as an attribute: zlib (RFC 1950), then base64. */
export const packed = (content: string | Uint8Array): string =>
  deflateSync(content, { level: 9 }).toString('base64');

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** For those who hear the link alone: `SVG of “Rate that was sent”`. */
const said = (label: string, of: string): Html | false => of !== '' && html` aria-label="${label}${of}"`;

/** A link to the file at `path` beside the page, which has its content as well. `label`: absent, the file's name. */
export const packedLink = (path: string, content: string | Uint8Array, label = nameOf(path), of = ''): Html =>
  html`<a download="${nameOf(path)}" href="${path}" data-packed="${packed(content)}"${said(label, of)}>${label}</a>`;

/** A link to a PNG beside the page, which the script can draw from the SVG of that name. */
export const drawnLink = (path: string, svgPath: string, label = nameOf(path), of = ''): Html =>
  html`<a download="${nameOf(path)}" href="${path}" data-drawn-from="${nameOf(svgPath)}"${said(label, of)}>${label}</a>`;
