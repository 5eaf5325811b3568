/** Where the grammar of event streams is laid down, for the sources of the probes of it. */

export const PARSING = 'WHATWG HTML §9.2.5, parsing an event stream';
export const INTERPRETING = 'WHATWG HTML §9.2.6, interpreting an event stream';
/** https://www.rfc-editor.org/rfc/rfc8259 */
export const JSON_RFC = 'RFC 8259 (JSON)';
/** Nothing of the grammar, only of how servers of this field use it. */
export const OPENAI_STREAM =
  'OpenAI API, stream: “data-only server-sent events … terminated by a data: [DONE] message”';
