// The event tail for pages. All pages of a browser share one connection, in `tail-worker.js`.

import {loadSession} from './rpc.js';

const PROTOCOL = 1;

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
    } else if (state.state === 'waiting' && state.reason !== 'busy') {
      window.dispatchEvent(new CustomEvent('node-silent', {detail: {hasFailed: false}}));
    }
  }
}

/** Checks the session; if it has ended, all pages are told. */
function endSession() {
  endSession.asking ??= loadSession()
    .catch(() => {})
    .finally(() => {
      endSession.asking = null;
    });
}
