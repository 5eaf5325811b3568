/** The JSON Schemas (draft 2020-12) of audit.json, probe.json, envelope.json, model.json, claim.json and of corrections, made from the schemas that check them on reading. */
import { z } from 'zod';
import { COMPARE_SCHEMA } from '../src/audit/compare-audits/document.ts';
import { compareDocumentSchema } from '../src/audit/compare-audits/document-schema.ts';
import { AUDIT_SCHEMA } from '../src/audit/document.ts';
import { auditDocumentSchema } from '../src/audit/document-schema.ts';
import { ENVELOPE_SCHEMA } from '../src/audit/envelope/document.ts';
import { envelopeDocumentSchema } from '../src/audit/envelope/document-schema.ts';
import { GATE_SCHEMA } from '../src/audit/gate/document.ts';
import { gateDocumentSchema } from '../src/audit/gate/document-schema.ts';
import { CORRECT_SCHEMA, correctDocumentSchema } from '../src/audit/model/correct-document.ts';
import { MODEL_SCHEMA } from '../src/audit/model/document.ts';
import { modelDocumentSchema } from '../src/audit/model/document-schema.ts';
import { PROBE_SCHEMA } from '../src/audit/probe/document.ts';
import { probeDocumentSchema } from '../src/audit/probe/document-schema.ts';
import { PROFILE_SCHEMA } from '../src/audit/profile/document.ts';
import { profileDocumentSchema } from '../src/audit/profile/document-schema.ts';
import { CLAIM_SCHEMA, claimDocumentSchema } from '../src/claims/document-schema.ts';

function published(title: string, schema: z.ZodType): string {
  const description = 'Every field that has a unit names it.';
  return `${JSON.stringify({ title, description, ...z.toJSONSchema(schema) }, null, 2)}\n`;
}

/** The text of schema/audit.schema.json. */
export const auditJsonSchema = (): string =>
  published(`Tare audit document, ${AUDIT_SCHEMA}`, auditDocumentSchema);

/** The text of schema/probe.schema.json. */
export const probeJsonSchema = (): string =>
  published(`Tare probe document, ${PROBE_SCHEMA}`, probeDocumentSchema);

/** The text of schema/envelope.schema.json. */
export const envelopeJsonSchema = (): string =>
  published(`Tare envelope document, ${ENVELOPE_SCHEMA}`, envelopeDocumentSchema);

/** The text of schema/model.schema.json. */
export const modelJsonSchema = (): string =>
  published(`Tare model document, ${MODEL_SCHEMA}`, modelDocumentSchema);

/** The text of schema/profile.schema.json. */
export const profileJsonSchema = (): string =>
  published(`Tare profile document, ${PROFILE_SCHEMA}`, profileDocumentSchema);

/** The text of schema/correct.schema.json. */
export const correctJsonSchema = (): string =>
  published(`Tare correction, ${CORRECT_SCHEMA}`, correctDocumentSchema);

/** The text of schema/claim.schema.json. */
export const claimJsonSchema = (): string =>
  published(`Tare claim document, ${CLAIM_SCHEMA}`, claimDocumentSchema);

/** The text of schema/gate.schema.json. */
export const gateJsonSchema = (): string =>
  published(`Tare gate document, ${GATE_SCHEMA}`, gateDocumentSchema);

/** The text of schema/compare.schema.json. */
export const compareJsonSchema = (): string =>
  published(`Tare comparison of two audits, ${COMPARE_SCHEMA}`, compareDocumentSchema);
