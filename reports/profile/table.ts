/** A profile in the terminal. */
import Table from 'cli-table3';
import type { ClientProfile, ProfileDocument } from '../../src/audit/profile/document.ts';
import { oneLine } from '../text.ts';
import {
  byteWords,
  costWords,
  digits,
  goodToWords,
  halfWords,
  layerWords,
  NO_LAYERS,
  saturationWords,
} from './words.ts';

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const made = new Table({ head: [...head], style: { head: [], border: [], compact: true } });
  made.push(...rows.map((row) => [...row]));
  return made.toString();
};

function costs({ layers }: ClientProfile): string {
  if (layers.length === 0) return NO_LAYERS;
  return table(
    ['layer', 'request, µs', 'token, µs', 'prompt byte, ns', 'residual', 'runs', 'busy', 'at half the load'],
    layers.map((layer) => {
      const line = layer.busiest ?? layer.group;
      if (line === null || layer.load === null)
        return [layerWords(layer), `${layer.state}: ${oneLine(layer.how)}`, '', '', '', '', '', ''];
      const { half_load: half } = layer;
      return [
        layerWords(layer),
        costWords(line.request),
        costWords(line.token),
        byteWords(line.prompt_byte),
        `${(line.residual_share * 100).toFixed(1)} %`,
        String(line.points),
        `${(layer.load.median_rho * 100).toFixed(0)} %`,
        halfWords(half),
      ];
    }),
  );
}

function goodTo({ layers }: ClientProfile): string | null {
  const measured = layers.filter(({ good_to }) => good_to.length > 0);
  if (measured.length === 0) return null;
  const rows = measured[0]!.good_to;
  return table(
    [
      'good to',
      ...rows.map(
        ({ tokens, extrapolated }) => `${tokens} tokens${extrapolated ? ' (beyond what was run)' : ''}`,
      ),
    ],
    measured.map((layer) => [layerWords(layer), ...layer.good_to.map(({ good_to }) => goodToWords(good_to))]),
  );
}

/** One client. */
function clientLines(client: ClientProfile): string {
  const { name, version, bound_by, loops, startup_s, teardown_s } = client;
  const of = bound_by === 'busiest thread' ? 'CPU time of its busiest thread' : 'CPU time of all its threads';
  const time = (s: number | null): string => (s === null ? 'not known' : `${digits(s)} s`);
  const rho = client.layers.flatMap(({ good_to }) => good_to)[0]?.rho;
  const saturation = saturationWords(client.saturation);
  return [
    `${name} ${version}: ${of}, 95 % intervals; ${loops === 1 ? 'one thread does most of its work, or they differ' : `${loops} threads share its work alike`}; first request after ${time(startup_s)}, end ${time(teardown_s)} after the last answer`,
    costs(client),
    goodTo(client),
    rho === undefined
      ? null
      : `good to: the rate at which what bounds it is ${rho * 100} % busy, with small prompts`,
    ...client.layers.flatMap((layer) =>
      layer.warnings.map((warning) => `! ${layerWords(layer)}: ${oneLine(warning)}`),
    ),
    saturation === null ? null : `saturation: ${oneLine(saturation)}`,
  ]
    .filter((line) => line !== null)
    .join('\n');
}

/** All clients. */
export const profileTable = ({ clients }: ProfileDocument): string => clients.map(clientLines).join('\n\n');
