// The parts of the tail's events that the console keeps: short forms of events, calls joined from their
// events, and samples that keep whole calls. Pure; used by the worker that reads the tail.

const TEXT_CHARS_MAX = 240;

/** The events of a call, in which the page Live shows it. */
export const CALL_EVENTS = [
  'CallReceived',
  'CallAdmitted',
  'GateDenied',
  'ApprovalRequested',
  'ApprovalGranted',
  'ApprovalRejected',
  'ApprovalTimedOut',
  'CallForwarded',
  'CallAnswered',
  'ErrorTranslated',
  'MessageRefused',
  'CallAbandoned',
  'CallOrphaned',
];

/** The events after which nothing more comes of a call. */
const ENDS = new Set(['CallAnswered', 'ErrorTranslated', 'MessageRefused', 'CallAbandoned', 'CallOrphaned']);

/** The limits of callers that a call is refused by before it could wait or run. */
const REFUSING = new Set(['rate', 'concurrency', 'budget']);

const GATES = new Map([
  ['ToolNotExposed', 'visibility'],
  ['GovernanceRuleDenied', 'governance'],
  ['PolicyDenied', 'policy'],
  ['ApprovalRejected', 'approval'],
  ['ApprovalTimeout', 'approval'],
  ['WorkflowNotFound', 'approval'],
]);

/**
 * The call that an event belongs to, read without parsing the event; null when it belongs to none.
 * The members stand in the order in which the tail writes them, and a quote inside a text is
 * escaped, so that nobody's text can look like this member.
 */
export function callIdOf(data) {
  const at = data.indexOf('"callId":"');
  const inner = data.indexOf('"data":');
  return at < 0 || (inner >= 0 && inner < at) ? null : data.slice(at + 10, data.indexOf('"', at + 10));
}

/** A number from 0 to 2^32-1 that is the same for the same text, and looks random. */
export function hash(text) {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

function cut(value) {
  return typeof value === 'string' && value.length > TEXT_CHARS_MAX
    ? `${value.slice(0, TEXT_CHARS_MAX)}…`
    : value;
}

/** The members of an event that pages use: texts are cut, contents are left out. */
function briefData(data) {
  const brief = {};
  for (const [name, value] of Object.entries(data ?? {})) {
    if (value === null || typeof value !== 'object') {
      brief[name] = cut(value);
    }
  }
  if (data?.principal?.name !== undefined) {
    brief.principal = cut(data.principal.name);
  }
  if (data?.told) {
    brief.dialect = data.told.dialect;
    brief.code = data.told.code;
  }
  if (data?.fault?.kind) {
    brief.fault = data.fault.kind;
    brief.limit = cut(data.fault.limit);
  }
  const last = Array.isArray(data?.rulings) ? data.rulings.at(-1) : undefined;
  if (last) {
    brief.gate = last.gate;
    brief.verdict = last.verdict?.kind;
    brief.reason = cut(last.verdict?.reason ?? data.reason);
  }
  return brief;
}

/** The short form of an event, from the text of its data. */
export function briefEvent(text) {
  const {position, name, at, node, callId = null, data} = JSON.parse(text);
  return {position, name, at, node: cut(node), callId, data: briefData(data)};
}

/**
 * Joins events to calls. Remembers calls that have not ended, at most as many as given; of a call
 * whose beginning it has not seen it knows only what the later events say.
 */
export class CallJoin {
  #open;
  #openMax;

  constructor({openMax = 20_000, open = new Map()} = {}) {
    this.#openMax = openMax;
    this.#open = new Map([...open].map(([id, call]) => [id, {...call}]));
  }

  /** Another one that knows the same calls. */
  copy() {
    return new CallJoin({openMax: this.#openMax, open: this.#open});
  }

  /** The call after a short event; null when the event belongs to no call. */
  apply(event) {
    if (event.callId === null) {
      return null;
    }
    const call = this.#open.get(event.callId) ?? newCall(event);
    change(call, event);
    if (ENDS.has(event.name)) {
      this.#open.delete(event.callId);
    } else {
      this.#remember(call);
    }
    return call;
  }

  #remember(call) {
    this.#open.set(call.callId, call);
    if (this.#open.size > this.#openMax) {
      this.#open.delete(this.#open.keys().next().value);
    }
  }
}

function newCall(event) {
  return {
    callId: event.callId,
    correlationId: null,
    dialect: null,
    method: null,
    target: null,
    principal: null,
    status: 'received',
    gate: null,
    reason: null,
    code: null,
    fault: null,
    receivedAt: null,
    durationMillis: null,
    ended: false,
    last: null,
    at: null,
    position: 0,
  };
}

function change(call, {name, at, position, data}) {
  call.last = name;
  call.at = at;
  call.position = position;
  call.ended = ENDS.has(name);
  for (const member of ['correlationId', 'dialect', 'method', 'target', 'principal', 'code', 'fault']) {
    call[member] ??= data[member] ?? null;
  }
  call.durationMillis ??= data.totalMillis ?? null;
  switch (name) {
    case 'CallReceived':
      call.receivedAt = data.receivedAt ?? at;
      call.wantsAnswer = data.rpcId !== undefined;
      break;
    case 'CallAdmitted':
      if (call.wantsAnswer === false) {
        call.status = 'answered';
      }
      break;
    case 'GateDenied':
      call.status = 'denied';
      call.gate = data.gate ?? null;
      call.reason = data.reason ?? null;
      break;
    case 'ApprovalRequested':
      call.status = 'held';
      break;
    case 'CallForwarded':
      call.status = 'forwarded';
      break;
    case 'CallAnswered':
      call.status = 'answered';
      break;
    case 'ErrorTranslated':
      call.gate = GATES.get(data.fault) ?? call.gate;
      call.status = call.gate ? 'denied' : data.fault === 'RateLimited' && REFUSING.has(data.limit) ? 'refused' : 'failed';
      break;
    case 'MessageRefused':
      call.status = 'refused';
      call.receivedAt ??= at;
      break;
    case 'CallAbandoned':
      call.status = 'abandoned';
      break;
    case 'CallOrphaned':
      call.status = 'orphaned';
      break;
    default: // the next event has the effect
  }
}

const FILTERED = {
  status: 'status',
  gate: 'gate',
  tool: 'target',
  target: 'target',
  principal: 'principal',
  dialect: 'dialect',
  code: 'code',
  fault: 'fault',
  method: 'method',
};

/**
 * Whether a call matches the filters of the search box, as far as it is known; `id` is that of the
 * call or of its correlation. `since` and `until` say nothing about what happens now and are not
 * looked at.
 */
export function matches(call, {id, ...filters}) {
  if (id !== undefined && call.callId !== id && call.correlationId !== id) {
    return false;
  }
  return Object.entries(filters).every(([word, value]) => {
    const member = FILTERED[word];
    return member === undefined || value === undefined || value === null || String(call[member]) === String(value);
  });
}

/**
 * Takes items until it is emptied, and keeps at most as many as given: those whose keys have the
 * lowest hashes. A key that is kept once is therefore likely kept again, so that a sample has whole
 * calls. An item for a key that it has replaces the earlier one if `latest` is set.
 */
export class Sample {
  #max;
  #latest;
  #items = [];
  #byKey = new Map();
  #taken = 0;

  constructor({max = 200, latest = false} = {}) {
    this.#max = max;
    this.#latest = latest;
  }

  /** Takes an item; a lower rank than that of the hash, such as -1, makes sure of it. */
  take(key, item, rank = hash(key)) {
    const earlier = this.#latest ? this.#byKey.get(key) : undefined;
    if (earlier) {
      earlier.item = item;
      earlier.rank = Math.min(earlier.rank, rank);
      return;
    }
    this.#taken++;
    const entry = {key, item, rank, order: this.#taken};
    this.#items.push(entry);
    if (this.#latest) {
      this.#byKey.set(key, entry);
    }
    if (this.#items.length >= 4 * this.#max) {
      this.#cut();
    }
  }

  #cut() {
    const dropped = this.#items.sort((a, b) => a.rank - b.rank || a.order - b.order).splice(this.#max);
    for (const {key} of dropped) {
      this.#byKey.delete(key);
    }
  }

  get isEmpty() {
    return this.#taken === 0;
  }

  /** What is kept, in the order in which it came, and whether anything was dropped. */
  empty() {
    if (this.#items.length > this.#max) {
      this.#cut();
    }
    const items = this.#items.sort((a, b) => a.order - b.order).map(it => it.item);
    const sampled = this.#taken > items.length;
    this.#items = [];
    this.#byKey = new Map();
    this.#taken = 0;
    return {items, sampled};
  }
}

/** How long to wait before the attempt after so many failures, in milliseconds: 500 to 10,000. */
export function backoffMillis(failures, random = Math.random()) {
  const longest = Math.min(10_000, 1_000 * 2 ** Math.min(failures, 10));
  return Math.round(500 + (longest - 500) * random);
}
