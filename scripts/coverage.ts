import { FIGURES, PROCESSES } from './bench-intervals/shapes.ts';
import { withinCoverage } from './bench-intervals/within.ts';

for (const process of PROCESSES)
  for (const n of [100, 200, 1000, 5000]) {
    const t = withinCoverage(process, n, n > 2000 ? 1000 : 2000, 1);
    console.log(
      process.name.padEnd(30),
      n,
      t
        .map(
          (x, i) =>
            `${FIGURES[i]} ${(100 * x.coverage).toFixed(1)} (${((100 * x.stated) / x.trials).toFixed(0)}% stated, wrong ${(100 * x.wrong).toFixed(1)}) w${x.medianWidth.toPrecision(2)}`,
        )
        .join(' | '),
    );
  }
