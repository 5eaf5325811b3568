/** axe-core over a page: every rule of WCAG 2.2 AA, and what is good practice besides. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** `rule: what is wrong (elements)`, one a rule that is broken; the page's own policy does not hold against the debugger that runs it. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const options = JSON.stringify({ runOnly: TAGS, preload: false, resultTypes: ['violations'] });
  const found = (await page.evaluate(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  )) as {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
  return found.map(
    ({ id, help, nodes }) =>
      `${id}: ${help} (${nodes.length}: ${nodes[0]?.html.slice(0, 200)}; ${nodes[0]?.failureSummary})`,
  );
}
