// Writes schema/audit.schema.json, probe.schema.json, envelope.schema.json, model.schema.json, claim.schema.json and correct.schema.json from the built code: run it after `npm run build` when a document has changed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  auditJsonSchema,
  claimJsonSchema,
  compareJsonSchema,
  correctJsonSchema,
  envelopeJsonSchema,
  gateJsonSchema,
  modelJsonSchema,
  probeJsonSchema,
  profileJsonSchema,
} from '../dist/reports/json-schema.js';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'schema');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'audit.schema.json'), auditJsonSchema());
writeFileSync(join(folder, 'probe.schema.json'), probeJsonSchema());
writeFileSync(join(folder, 'envelope.schema.json'), envelopeJsonSchema());
writeFileSync(join(folder, 'model.schema.json'), modelJsonSchema());
writeFileSync(join(folder, 'profile.schema.json'), profileJsonSchema());
writeFileSync(join(folder, 'correct.schema.json'), correctJsonSchema());
writeFileSync(join(folder, 'claim.schema.json'), claimJsonSchema());
writeFileSync(join(folder, 'gate.schema.json'), gateJsonSchema());
writeFileSync(join(folder, 'compare.schema.json'), compareJsonSchema());
