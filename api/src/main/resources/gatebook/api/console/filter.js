// Reads what is typed or pasted into the search box: an id with anything around it, or filters as
// words. Pure, and the same in the address and in the box.

export const STATUSES =
  ['answered', 'failed', 'denied', 'held', 'forwarded', 'refused', 'abandoned', 'orphaned'];
export const GATES = ['visibility', 'governance', 'policy', 'approval'];
export const DIALECTS = ['mcp', 'daemon', 'flow', 'a2a'];

/** The filters that exist, in the order in which they are written. */
export const FILTERS =
  ['status', 'gate', 'tool', 'principal', 'dialect', 'code', 'fault', 'method', 'since', 'until'];

const ALIASES = {target: 'tool', by: 'principal', from: 'since', to: 'until'};

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/i;
const TRACEPARENT = /\b[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}\b/i;
const TRACE_ID = /(?<![0-9a-f:])[0-9a-f]{32}(?![0-9a-f])/i;

/** Ids that are named in a line of a log, an error's data or a header, the most exact first. */
const NAMED_IDS = ['call', 'correlation', 'approval', 'task', 'tree', 'trace'].map(name =>
  new RegExp(`(?:^|[^A-Za-z])${name}[_ -]?id\\\\?["']?\\s*[:=]\\s*\\\\?["']?([A-Za-z0-9._:-]{1,128})`, 'i'));

const WORD = /([A-Za-z]+):"((?:[^"\\]|\\.)*)"|\S+/g;
/** Characters around an id in a sentence or in a program. */
const AROUND = /^[\s"'`“”‘’«»<([{#,;]+|[\s"'`“”‘’«»>)\]},;.:!?]+$/g;
const AGO = /^(\d{1,5})([smhdw])$/;
const SECONDS = {s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800};
const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * Reads a text.
 *
 * @return `{id?, filters, unknown}`: the id found in the text; the filters by their names, as they
 *     were written; and the words that are neither
 */
export function parse(text) {
  const filters = {};
  const unknown = [];
  const rest = [];
  const pasted = visibleOnly(text);
  const named = namedId(pasted);
  if (named) {
    return {id: named, filters, unknown};
  }
  for (const match of pasted.matchAll(WORD)) {
    const [name, value] = filterOf(match);
    if (!name) {
      rest.push(match[0]);
    } else if (isValue(name, value)) {
      filters[name] = value;
    } else {
      unknown.push(match[0]);
    }
  }
  const id = findId(rest);
  if (id) {
    return {id, filters, unknown};
  }
  const status = rest.length === 1 ? rest[0].toLowerCase() : '';
  if (STATUSES.includes(status) && !filters.status) {
    filters.status = status;
  } else {
    unknown.push(...rest);
  }
  return {filters, unknown};
}

/** Pasted text often contains invisible characters. */
function visibleOnly(text) {
  return String(text ?? '').replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]/g, '')
    .replace(/[\s\u00a0]+/g, ' ').trim();
}

/** `id:…` asks for an id that looks like a filter; else an id that the text names. */
function namedId(text) {
  const asked = /^id:\s*["']?([^"']+?)["']?$/i.exec(text);
  if (asked) {
    return asked[1];
  }
  for (const pattern of NAMED_IDS) {
    const id = pattern.exec(text)?.[1].replace(/[.:]+$/, '');
    if (id && id !== 'null') {
      return id;
    }
  }
  return null;
}

function filterOf(match) {
  if (match[1]) {
    const name = filterName(match[1]);
    return name ? [name, match[2].replace(/\\(.)/g, '$1')] : [];
  }
  const colon = match[0].indexOf(':');
  const name = colon > 0 ? filterName(match[0].slice(0, colon)) : null;
  return name ? [name, match[0].slice(colon + 1)] : [];
}

function filterName(word) {
  const name = word.toLowerCase();
  return FILTERS.includes(name) ? name : ALIASES[name] ?? null;
}

function isValue(name, value) {
  switch (name) {
    case 'status': return STATUSES.includes(value);
    case 'gate': return GATES.includes(value);
    case 'dialect': return DIALECTS.includes(value);
    case 'code': return /^-?\d{1,10}$/.test(value);
    case 'since':
    case 'until': return instant(value, 0) !== null;
    default: return value !== '';
  }
}

function findId(words) {
  const text = words.join(' ');
  const found = UUID.exec(text)?.[0] ?? TRACEPARENT.exec(text)?.[1] ?? TRACE_ID.exec(text)?.[0];
  if (found) {
    return found.toLowerCase();
  }
  if (STATUSES.includes(text.toLowerCase())) {
    return null;
  }
  const bare = words.map(word => word.replace(AROUND, '')).filter(word => word !== '');
  return bare.length === 1 ? bare[0] : null;
}

/** The filters as words, as `parse` reads them. */
export function toText(filters) {
  return FILTERS.filter(name => filters[name] !== undefined && filters[name] !== '')
    .map(name => `${name}:${quoted(String(filters[name]))}`)
    .join(' ');
}

function quoted(value) {
  return /[\s"\\]/.test(value) ? `"${value.replace(/(["\\])/g, '\\$1')}"` : value;
}

/** The filters of an address; what is not a filter's value is left out. */
export function fromQuery(query) {
  const filters = {};
  for (const name of FILTERS) {
    if (query[name] !== undefined && isValue(name, query[name])) {
      filters[name] = query[name];
    }
  }
  return filters;
}

/** The params of `audit.calls` for these filters. */
export function toParams(filters, now = Date.now()) {
  const params = {};
  for (const name of FILTERS) {
    const value = filters[name];
    if (value === undefined || value === '') {
      continue;
    }
    if (name === 'code') {
      params.code = Number(value);
    } else if (name === 'since' || name === 'until') {
      params[name] = instant(value, now);
    } else {
      params[name === 'tool' ? 'target' : name] = value;
    }
  }
  return params;
}

/**
 * The time that a text means, in UTC: how long ago (`2h`), a date, or a date with a time, in the
 * local zone unless it names another. Null when it is none of them.
 */
export function instant(text, now = Date.now()) {
  const ago = AGO.exec(text);
  if (ago) {
    return new Date(now - Number(ago[1]) * SECONDS[ago[2]] * 1_000).toISOString();
  }
  const parts = TIME.exec(text);
  if (!parts) {
    return null;
  }
  const [, date, clock = '00:00', fraction = '', zone = ''] = parts;
  const millis = Date.parse(`${date}T${clock.padEnd(8, ':00')}${zone.toUpperCase()}`);
  if (Number.isNaN(millis)) {
    return null;
  }
  const utc = new Date(millis).toISOString();
  return fraction ? utc.replace(/\.\d+Z$/, `${fraction}Z`) : utc;
}
