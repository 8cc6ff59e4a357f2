/**
 * The event tail for pages. All pages of a browser share one connection, in `tail-worker.js`.
 */
import {loadSession} from './rpc.js';

const PROTOCOL = 1;
const REFRESH_MILLIS = 2_000;

let port = null;
let keys = 0;
const followers = new Map();

/**
 * Follows the events with these names, or all when there are none.
 *
 * `onEvents({events, calls, counted, meanwhile, sampled, counts})` is called at most ten times a
 * second: `counted` is the exact number of events since the last time and `position` that of the
 * last, `events` are at most 200 of them (fewer than counted when `sampled`), `meanwhile` is the
 * number of those that came during a pause. With `calls: true` there are calls, joined from their
 * events, instead of events, and `counts` of events by name, gate and status.
 * `onState({state, retryAt, reason})` tells `connecting`, `live`, `catching-up`, `waiting` (for the
 * next attempt), `signed-out`, `forbidden` or `refused`.
 *
 * Begins now, or after the position `after`. Returns a function that stops it, which has `pause()`,
 * `resume()` and `filter(filters)`.
 */
export function follow({names = [], calls = false, filters = null, after = null, onEvents = () => {}, onState = () => {}}) {
  const key = ++keys;
  const request = {type: 'follow', key, names, calls, filters, after};
  followers.set(key, {request, onEvents, onState});
  send(request);
  const stop = () => {
    if (followers.delete(key)) {
      send({type: 'stop', key});
    }
  };
  return Object.assign(stop, {
    pause: () => send({type: 'pause', key}),
    resume: () => send({type: 'resume', key}),
    filter: newFilters => {
      request.filters = newFilters;
      send({type: 'filter', key, filters: newFilters});
    },
  });
}

/**
 * Calls `refresh` after events with these names, until `signal` is aborted: at most once in two
 * seconds, less often when a refresh takes long, and only while the page is visible.
 */
export function refreshOn(names, refresh, {signal, millis = REFRESH_MILLIS, onState} = {}) {
  let due = false;
  let timer = 0;
  let running = false;
  let earliest = 0;

  const run = async () => {
    timer = 0;
    if (!due || running || document.hidden || signal?.aborted) {
      return;
    }
    due = false;
    running = true;
    const began = performance.now();
    try {
      await refresh();
    } finally {
      running = false;
      earliest = performance.now() + Math.max(millis, 10 * (performance.now() - began));
      plan();
    }
  };
  const plan = () => {
    if (due && !timer && !running && !document.hidden && !signal?.aborted) {
      timer = setTimeout(run, Math.max(0, earliest - performance.now()));
    }
  };
  const stop = follow({
    names,
    onState,
    onEvents: ({counted}) => {
      due ||= counted > 0;
      plan();
    },
  });
  document.addEventListener('visibilitychange', plan, {signal});
  signal?.addEventListener('abort', () => {
    clearTimeout(timer);
    stop();
  });
  earliest = performance.now() + millis;
}

function send(message) {
  (port ??= connect()).postMessage(message);
}

function connect() {
  const address = new URL('./tail-worker.js', import.meta.url);
  const options = {type: 'module', name: `gatebook-tail-${PROTOCOL}`};
  const connected = 'SharedWorker' in window ? new SharedWorker(address, options).port : new Worker(address, options);
  connected.onmessage = ({data}) => receive(data);
  connected.start?.();
  connected.postMessage({type: 'visible', visible: !document.hidden});
  addEventListener('pagehide', () => connected.postMessage({type: 'bye'}));
  addEventListener('pageshow', ({persisted}) => {
    if (persisted) {
      followers.forEach(({request}) => connected.postMessage(request));
    }
  });
  document.addEventListener('visibilitychange', () =>
    connected.postMessage({type: 'visible', visible: !document.hidden}));
  return connected;
}

function receive({type, key, state, ...batch}) {
  const follower = followers.get(key);
  if (type === 'batch') {
    follower?.onEvents(batch);
  } else if (type === 'state') {
    follower?.onState(state);
    if (state.state === 'signed-out') {
      endSession();
    }
  }
}

/** Has the session looked at, which tells everybody that it has ended. */
function endSession() {
  endSession.asking ??= loadSession()
    .catch(() => {})
    .finally(() => {
      endSession.asking = null;
    });
}
