#!/usr/bin/env node
// Stands for llm-d-inference-sim with a configuration that it refuses: it says so and ends with exit code 0, as the real one does.
process.stderr.write(
  'E1129 21:33:13.327693   24399 main.go:44] "failed to read configuration" err="max num seqs cannot be less than 1"\n',
);
