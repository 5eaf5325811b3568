/** The JSON Schema of audit.json (draft 2020-12), made from the schema that checks it on reading. */
import { z } from 'zod';
import { AUDIT_SCHEMA } from '../src/audit/document.ts';
import { auditDocumentSchema } from '../src/audit/document-schema.ts';

/** The text of schema/audit.schema.json. */
export function auditJsonSchema(): string {
  const schema = z.toJSONSchema(auditDocumentSchema);
  const title = `Tare audit document, ${AUDIT_SCHEMA}`;
  return `${JSON.stringify({ title, description: 'Every field that has a unit names it.', ...schema }, null, 2)}\n`;
}
