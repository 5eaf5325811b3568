/** A server that runs already: Tare neither starts nor ends it, and knows of it what it exports. */
import { exportedBetween, readCounters } from './exported.ts';
import type { TargetSource } from './target.ts';

export const externalTarget = (url: string): TargetSource => ({
  async start() {
    const before = await readCounters(url);
    return {
      url,
      ledgerFile: null,
      async stop() {
        return { failure: null, exported: exportedBetween(before, await readCounters(url)) };
      },
    };
  },
});
