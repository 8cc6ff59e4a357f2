// The client of the node: JSON-RPC to /operator with the session's cookie, sign-in and sign-out.

import {parse} from './json.js';

/** Above this size a response is read by the browser's own parser, which is faster but not exact. */
const EXACT_CHARS_MAX = 4_000_000;
const OUR_HEADER = {'X-Gatebook-Console': '1'};

let current = null;
let lastId = 0;

/** An error that the node answered with, or 0 when it did not answer at all. */
export class RpcError extends Error {
  constructor(code, message, correlationId = null, data = null) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.correlationId = correlationId;
    this.data = data;
  }
}

/**
 * Calls one of the operators' methods and returns its result. Throws an RpcError, or an AbortError
 * once the signal is aborted.
 *
 * @param options `signal`; `exact` when the result has recorded JSON that is shown as it was
 */
export async function call(method, params = {}, {signal, exact = false} = {}) {
  lastId += 1;
  const response = await send('/operator', {
    method: 'POST',
    headers: {...OUR_HEADER, 'Content-Type': 'application/json'},
    body: JSON.stringify({jsonrpc: '2.0', id: lastId, method, params}),
    signal,
  });
  const answer = await read(response, exact);
  if (response.status === 401) {
    endSession();
  }
  if (!answer || answer.error || !response.ok) {
    throw errorOf(response, answer);
  }
  return answer.result;
}

/** Signs in with an operator's token. */
export function signIn(token) {
  return openSession({headers: {...OUR_HEADER, Authorization: `Bearer ${token}`}});
}

/** Signs in with the code of a link that works once. */
export function signInWithCode(code) {
  return openSession({
    headers: {...OUR_HEADER, 'Content-Type': 'application/json'},
    body: JSON.stringify({code}),
  });
}

/** The authorization servers at which an operator may sign in: each with its `name` and `path`. */
export async function loadIssuers() {
  const response = await send('/console/sign-on', {headers: OUR_HEADER});
  const answer = await read(response, false);
  if (!response.ok || !answer) {
    throw errorOf(response, answer);
  }
  return answer.issuers;
}

/** Ends the session here and at the node. */
export async function signOut() {
  try {
    await send('/console/session', {method: 'DELETE', headers: OUR_HEADER});
  } finally {
    endSession();
  }
}

/** Asks the node whose session this is; null when there is none. */
export async function loadSession() {
  try {
    current = await call('operator.whoami');
  } catch (error) {
    if (error.code !== 401) {
      throw error;
    }
    current = null;
  }
  return current;
}

/** Who is signed in: `{name, roles, version, node}`, or null. */
export function session() {
  return current;
}

/** Whether the operator who is signed in has a role: view, arguments, approve or admin. */
export function hasRole(role) {
  return current?.roles.includes(role) ?? false;
}

async function openSession(request) {
  const response = await send('/console/session', {method: 'POST', ...request});
  const answer = await read(response, false);
  if (!response.ok || !answer) {
    throw errorOf(response, answer);
  }
  current = {node: null, ...answer};
  return current;
}

function endSession() {
  const wasOpen = current !== null;
  current = null;
  if (wasOpen) {
    window.dispatchEvent(new CustomEvent('signed-out'));
  }
}

async function send(path, request) {
  try {
    return await fetch(path, {...request, credentials: 'same-origin', cache: 'no-store', redirect: 'error'});
  } catch (error) {
    throw error.name === 'AbortError' ? error : silent('the node does not answer');
  }
}

/** The error of a node that does not answer; the pages are told. */
export function silent(message) {
  window.dispatchEvent(new CustomEvent('node-silent', {detail: {hasFailed: true}}));
  return new RpcError(0, message);
}

async function read(response, exact) {
  let text;
  try {
    text = await response.text();
  } catch (error) {
    throw error.name === 'AbortError' ? error : silent('the connection to the node was lost');
  }
  try {
    return exact && text.length <= EXACT_CHARS_MAX ? parse(text) : JSON.parse(text);
  } catch {
    return null;
  }
}

function errorOf(response, answer) {
  const error = answer?.error ?? {};
  return new RpcError(
    response.status === 401 ? 401 : error.code ?? response.status,
    error.message ?? `the node answered with status ${response.status}`,
    error.data?.correlation_id ?? response.headers.get('X-Correlation-Id'),
    error.data ?? null);
}
