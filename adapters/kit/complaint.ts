import type { z } from 'zod';

/** A schema's first complaint, in a line: where and what. */
export function complaint(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return 'no reason given';
  const place = issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
  return `${place}${issue.message}`;
}
