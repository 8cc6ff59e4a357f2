// Formats values for people: times, durations, sizes, ids, states. Texts from outside are shown
// with the characters that would otherwise be invisible or reorder what stands around them.

import {h} from './dom.js';

const NUMBER = new Intl.NumberFormat('en');
/** A longer text scrolls in a few lines of its own. */
const LONG_CHARS = 300;

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/**
 * Characters that are not seen or that change the order of others: controls, marks of direction,
 * joiners, blanks of odd widths, fillers, tags and lone surrogates.
 */
const HIDDEN = new RegExp(
  '[\\p{Cc}\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180f'
  + '\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u2800\\u3000\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb'
  + '\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e01ef}\\p{Cs}]', 'gu');

/** A time of now or then: local, with UTC on hover. `parts` may be 'time' for the time alone. */
export function time(iso, parts = 'both') {
  if (!iso) {
    return h('span', {class: 'none'}, '–');
  }
  return h('time', {datetime: iso, title: `${utc(iso)} UTC`, class: 'time'}, localText(iso, parts));
}

/** The local text of a time: `2026-01-02 14:03:22`; with 'millis' to the millisecond. */
export function localText(iso, parts = 'both') {
  const at = new Date(millisOnly(iso));
  if (Number.isNaN(at.getTime())) {
    return String(iso);
  }
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  const millis = `.${String(at.getMilliseconds()).padStart(3, '0')}`;
  switch (parts) {
    case 'time': return clock;
    case 'date': return date;
    case 'millis': return `${date} ${clock}${millis}`;
    default: return `${date} ${clock}`;
  }
}

/** Not every browser reads nanoseconds. */
function millisOnly(iso) {
  return String(iso).replace(/(\.\d{3})\d+/, '$1');
}

function two(n) {
  return String(n).padStart(2, '0');
}

function utc(iso) {
  return String(iso).replace('T', ' ').replace(/Z$/, '');
}

/** A duration in milliseconds, to about three digits: `0.4 ms`, `12 ms`, `3.21 s`, `2 min 5 s`. */
export function duration(millis) {
  if (millis === null || millis === undefined) {
    return '–';
  }
  const ms = Number(millis);
  if (ms < 0) {
    return `−${duration(-ms)}`;
  }
  if (ms < 9.995) {
    return `${trimmed(ms, ms < 0.0995 ? 3 : 2)} ms`;
  }
  if (ms < 999.5) {
    return `${trimmed(ms, ms < 99.5 ? 1 : 0)} ms`;
  }
  if (ms < 59_995) {
    return `${trimmed(ms / 1_000, ms < 9_995 ? 2 : 1)} s`;
  }
  return long(Math.round(ms / 1_000));
}

function long(seconds) {
  const units = [['d', 86_400], ['h', 3_600], ['min', 60], ['s', 1]];
  const first = units.findIndex(([, size]) => seconds >= size);
  const [name, size] = units[first];
  const next = units[first + 1];
  const rest = next ? Math.floor((seconds % size) / next[1]) : 0;
  return `${Math.floor(seconds / size)} ${name}${rest ? ` ${rest} ${next[0]}` : ''}`;
}

function trimmed(number, digits) {
  return number.toFixed(digits).replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
}

/** How long ago, or in how long, a time is. */
export function ago(iso, now = Date.now()) {
  const ms = now - Date.parse(millisOnly(iso));
  const text = Math.abs(ms) < 1_000 ? 'now' : long(Math.round(Math.abs(ms) / 1_000));
  return text === 'now' ? text : ms < 0 ? `in ${text}` : `${text} ago`;
}

export function count(n) {
  return n === null || n === undefined ? '–' : NUMBER.format(n);
}

/** A count with its noun: `1 call`, `2,000 calls`. */
export function counted(n, one, many = `${one}s`) {
  return `${count(n)} ${Number(n) === 1 ? one : many}`;
}

export function bytes(n) {
  if (n === null || n === undefined) {
    return '–';
  }
  let size = Number(n);
  if (size < 1_024) {
    return counted(size, 'byte');
  }
  let unit = -1;
  do {
    size /= 1_024;
    unit += 1;
  } while (size >= 999.5 && unit < UNITS.length - 1);
  return `${trimmed(size, size < 9.95 ? 2 : size < 99.5 ? 1 : 0)} ${UNITS[unit]}`;
}

/**
 * The parts of a text: what is seen as it is, and each hidden character by its name, as
 * `{text, hidden}`.
 */
export function reveal(text) {
  const parts = [];
  let from = 0;
  const whole = String(text);
  for (const match of whole.matchAll(HIDDEN)) {
    if (match.index > from) {
      parts.push({text: whole.slice(from, match.index), hidden: false});
    }
    parts.push({text: nameOf(match[0].codePointAt(0)), hidden: true});
    from = match.index + match[0].length;
  }
  if (from < whole.length || parts.length === 0) {
    parts.push({text: whole.slice(from), hidden: false});
  }
  return parts;
}

function nameOf(point) {
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The same as one text, for titles and labels. */
export function plain(text) {
  return reveal(text).map(part => part.hidden ? `⟨${part.text}⟩` : part.text).join('');
}

/** A text without more than `max` characters, cut in the middle of nothing. */
export function cut(text, max) {
  const whole = String(text);
  if (whole.length <= max) {
    return whole;
  }
  const end = /[\ud800-\udbff]$/.test(whole.slice(0, max - 1)) ? max - 2 : max - 1;
  return `${whole.slice(0, end)}…`;
}

/** The nodes that show a text: text, and a mark for each hidden character. */
export function shown(text) {
  return reveal(text).map(part => part.hidden
    ? h('span', {class: 'hidden-char', title: 'a character that is not seen'}, part.text)
    : part.text);
}

/**
 * A text from outside, as a name, an id or a value: in the fixed width, apart from what stands
 * around it. Without `max` it is whole; a cut text has the whole one as its title.
 */
export function code(text, {max = Infinity, ...props} = {}) {
  if (text === null || text === undefined || text === '') {
    return h('span', {class: 'none'}, '–');
  }
  const part = cut(text, max);
  if (part.length > LONG_CHARS) {
    props = {class: 'code is-long', tabIndex: 0, ...props}; // it scrolls, and must be reached without a mouse
  }
  return h('bdi', {class: 'code', ...(part === String(text) ? {} : {title: plain(cut(text, 2_000))}), ...props},
    shown(part));
}

/** An id in short: enough to tell ids on one page apart. The whole id is the title. */
export function shortId(id) {
  return h('bdi', {class: 'code id', title: plain(cut(id ?? '', 2_000))}, shown(shortText(id)));
}

export function shortText(id) {
  const text = String(id ?? '–');
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)) {
    return `${text.slice(0, 8)}…${text.slice(-4)}`;
  }
  const hash = /^sha256:([0-9a-f]{12})[0-9a-f]+$/i.exec(text);
  return hash ? hash[1] : cut(text, 28);
}

const STATES = {
  answered: 'ok', completed: 'ok', forwarded: 'run', in_progress: 'run', held: 'wait', waiting: 'wait',
  pending: 'none', denied: 'bad', rejected: 'bad', failed: 'fail', refused: 'fail', abandoned: 'none',
  cancelled: 'none', orphaned: 'fail', granted: 'ok', 'timed-out': 'fail', deleted: 'none',
  delivered: 'ok', given_up: 'fail', enabled: 'ok', disabled: 'none', failing: 'bad', 'call-ended': 'none',
};

/** The state of a call, a task or an approval: a mark, whose form tells it without colour, and the word. */
export function statusBadge(status) {
  const word = String(status ?? 'unknown');
  return h('span', {class: `status is-${STATES[word] ?? 'none'}`}, plain(word.replaceAll('_', ' ')));
}

/** An error code, with a minus that can be searched for. */
export function errorCode(code) {
  return code === null || code === undefined
    ? h('span', {class: 'none'}, '–')
    : h('span', {class: 'num'}, String(code));
}
