/** profile.csv: a row a run, units in the columns' names, absent figures empty. */
import type { ProfileDocument } from '../../src/audit/profile/document.ts';
import { type CsvCell, textCell, toCsv } from '../csv.ts';

const COLUMNS = [
  'client',
  'version',
  'layer',
  'purpose',
  'used',
  'repetition',
  'order',
  'tokens',
  'prompt_tokens',
  'body_bytes',
  'rate_rps',
  'sent_rps',
  'completed_rps',
  'busiest_us',
  'group_us',
  'busiest_share',
  'group_share',
  'system_part',
  'requests',
  'window_s',
  'token_writes',
  'streamed_share',
  'core_wait_share',
  'steal_share',
  'startup_s',
  'teardown_s',
  'why',
] as const;

export function profileCsv(document: ProfileDocument): string {
  const rows = document.clients.flatMap(({ name, version, layers }) =>
    layers.flatMap((layer) =>
      layer.points.map((point): CsvCell[] => {
        const { cost } = point;
        const written = cost?.written ?? null;
        return [
          name,
          textCell(version),
          layer.id,
          point.purpose,
          point.purpose === 'usual' && point.why === null ? 1 : 0,
          point.repetition,
          point.order,
          point.tokens,
          point.prompt_tokens,
          written?.body_bytes ?? null,
          point.rate_rps,
          cost?.sent_rps ?? null,
          cost?.completed_rps ?? null,
          cost?.busiest_us ?? null,
          cost?.group_us ?? null,
          cost?.busiest_share ?? null,
          cost?.group_share ?? null,
          cost?.system_part ?? null,
          cost?.requests ?? null,
          cost?.window_s ?? null,
          written?.token_writes ?? null,
          written?.streamed_share ?? null,
          cost?.core_wait_share ?? null,
          cost?.steal_share ?? null,
          cost?.startup_s ?? null,
          cost?.teardown_s ?? null,
          point.why === null ? '' : textCell(point.why),
        ];
      }),
    ),
  );
  return toCsv(COLUMNS, rows);
}
