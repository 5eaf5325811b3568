import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A worker that has ended its file may wait for a core while another one spins: it is not to be killed with its results.
    teardownTimeout: 120_000,
    maxWorkers: 2,
  },
});
