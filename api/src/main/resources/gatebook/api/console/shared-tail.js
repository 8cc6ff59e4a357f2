// Reads the event tail once for all pages of a browser. It counts every event, joins events to
// calls, filters, samples what pages draw, and resumes from the last position after a lost
// connection. Runs in `tail-worker.js`; `tail.js` is the page's side.

import {SseParser} from './sse.js';
import {CallJoin, Sample, backoffMillis, briefEvent, callIdOf, matches} from './tail-events.js';

const BATCH_MILLIS = 100;
const BATCH_MILLIS_HIDDEN = 1_000;
const BATCH_ITEMS_MAX = 200;
const SILENCE_MILLIS_MAX = 45_000; // the tail sends something every 15 s
const STEADY_MILLIS = 5_000;
const SHRINK_MILLIS = 5_000;
const LINGER_MILLIS = 2_000;
const SHOWN_MAX = 5_000;

/** Names for which events are never left out of a sample: there are few of them. */
const RARE = /^(Approval|Rules|Journal|Operator)/;

/**
 * The node records each request for the tail as such an event. A catch-up that comes to its own has
 * read all that was recorded before.
 */
const MARK = 'OperatorActed';

/** A connection to the tail that is made again until it is closed. */
class TailConnection {
  #handlers;
  #closed = new AbortController();
  #query = '';

  /** Begins after a position, or now when it is null; `eventPosition` is that of the last event. */
  constructor({names, after, eventPosition = 0, ...handlers}) {
    this.names = names;
    this.position = after;
    this.eventPosition = eventPosition;
    this.state = {state: 'connecting'};
    this.#handlers = handlers;
    this.#query = [...names].map(name => `name=${encodeURIComponent(name)}`).join('&');
    this.#run();
  }

  close() {
    this.#closed.abort();
  }

  get isClosed() {
    return this.#closed.signal.aborted;
  }

  #tell(state) {
    if (!this.isClosed) {
      this.state = {...state, position: this.position};
      this.#handlers.onState(this.state);
    }
  }

  async #run() {
    for (let failures = 0; !this.isClosed; failures++) {
      const began = Date.now();
      const outcome = await this.#read();
      if (this.isClosed) {
        return;
      }
      if (outcome.final) {
        this.#tell({state: outcome.final});
        this.close();
        return;
      }
      if (outcome.received && Date.now() - began >= STEADY_MILLIS) {
        failures = 0;
      }
      const millis = backoffMillis(failures);
      this.#tell({state: 'waiting', reason: outcome.reason, retryAt: Date.now() + millis});
      await sleep(millis, this.#closed.signal);
      this.#tell({state: 'connecting'});
    }
  }

  /** Reads until the connection ends, for whatever reason. */
  async #read() {
    const attempt = new AbortController();
    const onClose = () => attempt.abort();
    this.#closed.signal.addEventListener('abort', onClose);
    let watchdog = 0;
    const watch = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => attempt.abort(), SILENCE_MILLIS_MAX);
    };
    let received = false;
    try {
      watch();
      const response = await fetch(this.#address(), {
        headers: {'X-Gatebook-Console': '1', Accept: 'text/event-stream'},
        credentials: 'same-origin',
        cache: 'no-store',
        signal: attempt.signal,
      });
      const refusal = refusalOf(response);
      if (refusal) {
        return refusal;
      }
      const parser = this.#parser();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        watch();
        parser.push(part.value);
        if (!received) {
          received = true;
          this.#tell({state: 'live'});
        }
      }
      return {received, reason: 'ended'};
    } catch {
      return {received, reason: 'lost'};
    } finally {
      clearTimeout(watchdog);
      this.#closed.signal.removeEventListener('abort', onClose);
      attempt.abort();
    }
  }

  #address() {
    const after = this.position === null ? '' : `after=${this.position}`;
    const query = [this.#query, after].filter(it => it !== '').join('&');
    return query === '' ? '/operator/tail' : `/operator/tail?${query}`;
  }

  #parser() {
    return new SseParser({
      onPosition: id => {
        this.position = Math.max(this.position ?? 0, Number(id));
        this.#handlers.onPosition?.(this.position);
      },
      onEvent: event => {
        const position = Number(event.id);
        if (position > (this.position ?? 0) && !this.isClosed) {
          this.position = position;
          this.eventPosition = position;
          this.#handlers.onEvent(position, event.name, event.data);
        }
      },
    });
  }
}

/** The state after a response that is no stream; undefined when it is one. */
function refusalOf(response) {
  if (response.ok && response.body) {
    return undefined;
  }
  response.body?.cancel();
  switch (response.status) {
    case 401:
      return {final: 'signed-out'};
    case 403:
      return {final: 'forbidden'};
    case 400:
      return {final: 'refused'};
    default:
      return {reason: response.status === 503 ? 'busy' : 'failed'};
  }
}

function sleep(millis, signal) {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, millis);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** An event as it passes through: costly forms of it are made once, when first needed. */
class TailEvent {
  #text;
  #brief;
  #callId;

  constructor(position, name, text) {
    this.position = position;
    this.name = name;
    this.#text = text;
  }

  get callId() {
    return (this.#callId ??= callIdOf(this.#text) ?? '');
  }

  get brief() {
    return (this.#brief ??= briefEvent(this.#text));
  }
}

/** One page's interest in the tail. */
class Follower {
  #port;
  #key;
  #counted = 0;
  #meanwhile = 0;
  #counts = {};
  #sample;
  #shown = new Set();
  #seen = 0;
  #dueAt = 0;

  constructor(port, {key, names, calls = false, filters = null, after = null}) {
    this.#port = port;
    this.#key = key;
    this.names = new Set(names);
    this.calls = calls;
    this.filters = filters;
    this.pausedAt = after === null ? null : {position: after, join: new CallJoin(), untilLive: true};
    this.catchUp = null;
    this.#sample = new Sample({max: BATCH_ITEMS_MAX, latest: calls});
  }

  get port() {
    return this.#port;
  }

  wants(name) {
    return this.names.size === 0 || this.names.has(name);
  }

  /** Takes an event, and the call as it is after the event if calls are joined. */
  take(event, call) {
    if (!this.wants(event.name) || (this.filters && !(call && matches(call, this.filters)))) {
      return;
    }
    if (this.pausedAt !== null) {
      this.#meanwhile++;
      return;
    }
    if (event.position <= this.#seen) {
      return;
    }
    this.#seen = event.position;
    this.#counted++;
    if (this.calls && call) {
      this.#takeCall(event.name, call);
    } else {
      const key = event.callId || String(event.position);
      this.#sample.take(key, event, RARE.test(event.name) ? -1 : undefined);
    }
  }

  #takeCall(name, call) {
    this.#count(name);
    if (call.ended) {
      this.#count(`status:${call.status}`);
    }
    if (name === 'GateDenied') {
      this.#count(`gate:${call.gate}`);
    }
    this.#sample.take(call.callId, call, this.#shown.has(call.callId) ? -1 : undefined);
  }

  #count(what) {
    this.#counts[what] = (this.#counts[what] ?? 0) + 1;
  }

  /** Sends what came since the last batch, unless it is too early. */
  flush(now, hidden) {
    const nothing = this.#counted === 0 && this.#meanwhile === 0;
    if (nothing || now < this.#dueAt) {
      return;
    }
    this.#dueAt = now + (hidden ? BATCH_MILLIS_HIDDEN : BATCH_MILLIS) - 10;
    const {items, sampled} = this.#sample.empty();
    const batch = {
      counted: this.#counted,
      meanwhile: this.#meanwhile,
      sampled,
      counts: this.#counts,
      position: this.#seen,
    };
    if (this.calls) {
      this.#rememberShown(items);
      this.send('batch', {...batch, events: [], calls: items});
    } else {
      this.send('batch', {...batch, events: items.map(it => it.brief)});
    }
    this.#counted = 0;
    this.#meanwhile = 0;
    this.#counts = {};
  }

  #rememberShown(calls) {
    for (const {callId, ended} of calls) {
      if (ended) {
        this.#shown.delete(callId);
      } else if (this.#shown.size < SHOWN_MAX) {
        this.#shown.add(callId);
      }
    }
  }

  get waits() {
    return this.#counted > 0 || this.#meanwhile > 0;
  }

  send(type, message) {
    this.#port.postMessage({type, key: this.#key, ...message});
  }

  tell(state) {
    this.send('state', {state});
  }
}

/** All followers, and the one connection that serves them. */
export class SharedTail {
  #followers = new Set();
  #hidden = new WeakSet();
  #connection = null;
  #join = new CallJoin();
  #flushTimer = 0;
  #planTimer = 0;
  #shrinkAt = 0;

  /** Serves a page, which sends what it wants as messages to this port. */
  attach(port) {
    const own = new Map();
    port.onmessage = ({data: message}) => this.#receive(port, own, message);
    port.start?.();
  }

  #receive(port, own, message) {
    const follower = own.get(message.key);
    switch (message.type) {
      case 'follow':
        own.set(message.key, this.#add(new Follower(port, message)));
        break;
      case 'stop':
        this.#remove(follower);
        own.delete(message.key);
        break;
      case 'pause':
        this.#pause(follower);
        break;
      case 'resume':
        this.#resume(follower);
        break;
      case 'filter':
        if (follower) {
          follower.filters = message.filters;
        }
        break;
      case 'visible':
        this.#hidden[message.visible ? 'delete' : 'add'](port);
        break;
      case 'retry':
        this.#retry();
        break;
      case 'bye':
        own.forEach(it => this.#remove(it));
        own.clear();
        break;
      default:
        break;
    }
  }

  #add(follower) {
    this.#followers.add(follower);
    if (this.#connection?.isClosed) {
      this.#connection = null; // the operator may have signed in again
    }
    if (this.#connection && this.#serves(this.#connection.names)) {
      this.#tell(follower, this.#connection.state);
    }
    this.#plan(0);
    return follower;
  }

  #remove(follower) {
    if (follower) {
      follower.catchUp?.connection.close();
      this.#followers.delete(follower);
      this.#plan(this.#followers.size === 0 ? LINGER_MILLIS : SHRINK_MILLIS);
    }
  }

  /** The names that followers want; empty when one of them wants all. */
  #needed() {
    const all = [...this.#followers].map(it => it.names);
    return all.some(names => names.size === 0) ? new Set() : new Set(all.flatMap(names => [...names]).sort());
  }

  #serves(names) {
    const needed = this.#needed();
    return names.size === 0 || (needed.size > 0 && [...needed].every(name => names.has(name)));
  }

  #plan(millis) {
    clearTimeout(this.#planTimer);
    this.#planTimer = setTimeout(() => this.#connect(), millis);
  }

  /** Connects for exactly what is needed, from where the connection before was. */
  #connect() {
    const before = this.#connection?.isClosed ? null : this.#connection;
    if (this.#followers.size === 0) {
      before?.close();
      this.#connection = null;
      this.#join = new CallJoin();
      return;
    }
    const needed = this.#needed();
    if (before && sameSet(before.names, needed)) {
      return;
    }
    const connection = new TailConnection({
      names: needed,
      after: before?.position ?? null,
      eventPosition: before?.eventPosition,
      onEvent: (position, name, text) => this.#event(position, name, text),
      onState: state => this.#state(connection, state),
    });
    before?.close();
    this.#connection = connection;
    if (before?.state.state !== 'live') {
      this.#state(connection, connection.state);
    }
    this.#restartCatchUps();
  }

  #retry() {
    if (this.#connection?.isClosed) {
      this.#connection = null;
      this.#plan(0);
    }
  }

  #state(connection, state) {
    if (connection !== this.#connection) {
      return;
    }
    this.#followers.forEach(it => this.#tell(it, state));
  }

  /** Tells a follower the state of the connection, unless it is busy with its own. */
  #tell(follower, state) {
    if (state.state === 'live' && follower.pausedAt?.untilLive) {
      this.#resume(follower);
    }
    if (!follower.catchUp) {
      follower.tell(state);
    }
  }

  #event(position, name, text) {
    const event = new TailEvent(position, name, text);
    const joined = [...this.#followers].some(it => it.calls || it.filters);
    const call = joined && event.callId ? this.#join.apply(event.brief) : null;
    for (const follower of this.#followers) {
      if (!follower.catchUp) {
        follower.take(event, call);
      }
    }
    this.#scheduleFlush();
  }

  #scheduleFlush() {
    this.#flushTimer ||= setTimeout(() => {
      this.#flushTimer = 0;
      const now = Date.now();
      this.#followers.forEach(it => it.flush(now, this.#hidden.has(it.port)));
      if ([...this.#followers].some(it => it.waits)) {
        this.#scheduleFlush();
      }
    }, BATCH_MILLIS);
  }

  #pause(follower) {
    if (follower?.pausedAt) {
      follower.pausedAt.untilLive = false;
    } else if (follower) {
      const {catchUp} = follower;
      follower.pausedAt = {
        position: (catchUp?.connection ?? this.#connection)?.position ?? null,
        join: (catchUp?.join ?? this.#join).copy(),
        atLeast: catchUp?.atLeast ?? 0,
      };
      catchUp?.connection.close();
      follower.catchUp = null;
    }
  }

  /** Reads again what came since the pause, and then joins the others. */
  #resume(follower) {
    const pausedAt = follower?.pausedAt;
    if (!pausedAt) {
      return;
    }
    follower.pausedAt = null;
    const main = this.#connection;
    if (!main || main.isClosed || pausedAt.position === null) {
      return;
    }
    // what a new follower wants may not have been read before, so all of it must be
    const atLeast = pausedAt.atLeast ?? main.position ?? 0;
    if (pausedAt.position < Math.max(atLeast, main.eventPosition)) {
      this.#startCatchUp(follower, {...pausedAt, atLeast});
    } else {
      follower.tell(main.state);
    }
  }

  #startCatchUp(follower, {position: after, join, atLeast}) {
    const end = position => {
      if (
        follower.catchUp?.connection === connection &&
        position >= Math.max(atLeast, this.#connection?.eventPosition ?? 0)
      ) {
        this.#endCatchUp(follower);
      }
    };
    const {names} = this.#connection;
    const connection = new TailConnection({
      names: names.size === 0 ? names : new Set([...names, MARK]),
      after,
      onEvent: (position, name, text) => {
        const event = new TailEvent(position, name, text);
        follower.take(event, event.callId ? join.apply(event.brief) : null);
        this.#scheduleFlush();
        end(position);
      },
      onPosition: end,
      onState: state => {
        if (follower.catchUp?.connection === connection) {
          follower.tell(state.state === 'live' ? {...state, state: 'catching-up'} : state);
        }
      },
    });
    follower.catchUp = {connection, join, atLeast};
    follower.tell({state: 'catching-up', position: after});
  }

  #endCatchUp(follower) {
    follower.catchUp.connection.close();
    follower.catchUp = null;
    follower.tell(this.#connection.state);
  }

  /** A catch-up ends at an event that both connections read, so it must ask for all of the other's. */
  #restartCatchUps() {
    for (const follower of this.#followers) {
      if (follower.catchUp) {
        const {connection, join, atLeast} = follower.catchUp;
        connection.close();
        this.#startCatchUp(follower, {position: connection.position, join, atLeast});
      }
    }
  }
}

function sameSet(one, other) {
  return one.size === other.size && [...one].every(it => other.has(it));
}
