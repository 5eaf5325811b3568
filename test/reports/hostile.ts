/** Documents in which every text that came from outside (a client, its source, the machine, the user) has something hostile at its end. */

/** Markup, an address, ends of scripts and comments, terminal escapes, marks that reorder or hide, other scripts, and no place to break. */
export const HOSTILE = `<img src=x onerror="document.title='owned'"></script><script>document.title='owned'</script>"onload="x javascript:alert(1) <a href="javascript:alert(1)">x</a><svg onload=alert(1)><iframe src="https://example.org/"></iframe><base href="https://example.org/">--></style></textarea>\u001b[31mred\u001b]0;owned\u0007\u202egpj.exe\u2066\u200b\u00ad\u061c\u{e0041} 👩🏽‍🔬🇫🇷 مرحبا שלום 日本語 \u0000\ud800 ${'W'.repeat(400)}`;

/** Fields whose text is not of our own making. Kinds, verdicts and instants are: a document with others is refused when it is read. */
const FROM_OUTSIDE = new Set([
  ...['client', 'clients', 'name', 'title', 'version', 'tare_version', 'origin', 'path', 'id'],
  ...['processes', 't0Detail', 'what', 'where', 'evidence', 'remedy', 'code'],
  ...['reason', 'how', 'notes', 'warnings', 'command', 'busiest_thread', 'model', 'statement'],
  ...['os', 'kernel', 'cpu_model', 'glibc', 'python', 'node', 'nodeVersion', 'pinning_note'],
  ...['clock_how', 'cpu_governor', 'url'],
]);

/** The same document, `text` at the end of each such field; equal texts stay equal. */
export function hostileCopy<T>(document: T, text = HOSTILE): T {
  const change = (value: unknown, outside: boolean): unknown => {
    if (typeof value === 'string') return outside ? value + text : value;
    if (Array.isArray(value)) return value.map((one) => change(one, outside));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        key,
        change(one, FROM_OUTSIDE.has(key) || (key === 'architecture' && typeof one === 'string')),
      ]),
    );
  };
  return change(document, false) as T;
}
