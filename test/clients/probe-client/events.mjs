/** Server-sent events out of bytes, and how clients get that wrong. */

const JOINED = /\r\n|\r|\n/;

/** By the grammar of WHATWG: any end of line, comments left out, data lines joined, an event at each empty line. */
function byGrammar(onData, { needsSpace = false, doneNeedsSpace = false, onOther = null }) {
  let rest = '';
  let afterCr = false;
  let data = [];
  const line = (text) => {
    if (text === '') {
      if (data.length > 0) onData(data.join('\n'));
      data = [];
    } else if (doneNeedsSpace && text === 'data:[DONE]') data.push(text);
    else if (needsSpace ? text.startsWith('data: ') : text.startsWith('data:'))
      data.push(text.slice(text[5] === ' ' ? 6 : 5));
    else if (text === 'data') data.push('');
    else if (onOther !== null) onOther(text);
  };
  return (text) => {
    const more = afterCr && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') afterCr = more.endsWith('\r');
    const lines = (rest + more).split(JOINED);
    rest = lines.pop();
    lines.forEach(line);
  };
}

/** Looks for two line feeds, and knows only events of one data line. */
function byTwoLineFeeds(onData) {
  let rest = '';
  return (text) => {
    const parts = (rest + text).split('\n\n');
    rest = parts.pop();
    for (const part of parts) if (part.startsWith('data:')) onData(part.slice(5).trim());
  };
}

/** Takes what one read brings for one event. */
const bySegment = (onData) => (text) => onData(text.split('\n')[0].replace(/^data: ?/, ''));

/** Decodes a stream of UTF-8; or each segment for itself, and drops those that are none. */
function decoding(alone) {
  const decoder = new TextDecoder('utf-8', { fatal: alone });
  return (bytes) => {
    if (!alone) return decoder.decode(bytes, { stream: true });
    try {
      return decoder.decode(bytes);
    } catch {
      return '';
    }
  };
}

/** A function that takes the bytes of each read and calls `onData` with the data of each event. */
export function eventReader(has, onData) {
  const decode = decoding(has('split-utf8'));
  const read = has('segments-as-events')
    ? bySegment(onData)
    : has('lf-lf-only')
      ? byTwoLineFeeds(onData)
      : byGrammar(onData, {
          needsSpace: has('needs-space'),
          doneNeedsSpace: has('done-needs-space'),
          // Whatever is no data line can only be JSON, can it not.
          onOther: has('crash-on-comment') ? (text) => process.nextTick(() => JSON.parse(text)) : null,
        });
  return (bytes) => {
    const text = decode(bytes);
    if (text !== '') read(text);
  };
}
