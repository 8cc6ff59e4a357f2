// Starts the console: who is signed in, the search box, the keys, and what waits for a person.

import {here, navigate} from './address.js';
import {clear, h, replace} from './dom.js';
import {count, plain} from './format.js';
import {parse, toText, fromQuery} from './filter.js';
import {call, hasRole, loadSession, session, signInWithCode, signOut} from './rpc.js';
import {followOutage} from './outage.js';
import {refreshOn} from './refresh.js';
import {leave, preload, show, start} from './router.js';
import {announce, dialog, page, problem, setTitle, setWaiting} from './ui.js';
import * as signin from './signin.js';

const GO_MILLIS = 1_500;
const WAITING_MAX = 1_000;
const PAGES_BY_KEY = {
  h: ['Home', ''], c: ['Calls', 'calls'], d: ['Denials', 'denials'], e: ['Errors', 'errors'],
  l: ['Live', 'live'], a: ['Approvals', 'approvals'], r: ['Rules', 'rules'], w: ['What-if', 'whatif'],
  n: ['Node', 'node'],
};
const APPROVAL_EVENTS = ['ApprovalRequested', 'ApprovalGranted', 'ApprovalRejected', 'ApprovalTimedOut',
  'CallAbandoned', 'CallOrphaned'];

const main = document.getElementById('page');
const search = document.getElementById('search');
let stopFollowing = () => {};
let isRouting = false;
let waitingCount = 0;

begin();

async function begin() {
  followSearch();
  followKeys();
  followOutage({
    bar: document.getElementById('outage'),
    onBegin: () => announce('The node does not answer.'),
    onBack: goOn,
  });
  document.querySelector('.skip').addEventListener('click', event => {
    event.preventDefault(); // the address is the page's
    main.focus();
  });
  window.addEventListener('signed-out', () => askToSignIn('Your session has ended. Sign in again to go on.'));
  window.addEventListener('hashchange', () => location.hash.startsWith('#code=') && signInByLink(takeCode()));
  const code = takeCode();
  if (code) {
    await signInByLink(code);
    return;
  }
  const refusal = takeSignOn();
  try {
    await loadSession();
  } catch (error) {
    failed(main, error);
    return;
  }
  if (session()) {
    signedIn(true);
  } else {
    askToSignIn(refusal ? signin.refusalSentence(refusal) : '');
  }
}

/** Shows the page again if it failed while the node did not answer, unless a dialog is open. */
function goOn({hasFailed, wasTold}) {
  if (wasTold) {
    announce('The node answers again.');
  }
  if (!session() && !main.querySelector('#sign-in')) {
    location.reload();
  } else if (hasFailed && session() && !document.querySelector('dialog[open]')) {
    show();
  }
}

async function signInByLink(code) {
  try {
    await signInWithCode(code);
    signedIn(true);
  } catch (error) {
    if (session() ?? await loadSession().catch(() => null)) {
      signedIn(true); // a link that is used up signs nobody out
      return;
    }
    askToSignIn(error.code === 0
      ? 'The node does not answer.'
      : 'This link was used, or its minute is over. Run ./gatebook console again, or sign in with a token.');
  }
}

/** The code of a link that works once: it leaves the address, and so the history, at once. */
function takeCode() {
  const code = /^#code=([A-Za-z0-9._~-]+)$/.exec(location.hash)?.[1] ?? null;
  if (code) {
    history.replaceState(null, '', location.pathname + location.search);
  }
  return code;
}

/**
 * Why the sign-on that the browser comes back from was refused; null when it was not, or there was
 * none. The address is the one before it again.
 */
function takeSignOn() {
  const [, refusal = null] = /^#(?:signed-on|sign-on-refused=([a-z-]+))$/.exec(location.hash) ?? [];
  if (location.hash.startsWith('#sign')) {
    history.replaceState(null, '', signin.takeAddressBefore());
  }
  return refusal;
}

function askToSignIn(reason) {
  stopFollowing();
  leave();
  showWaiting(0);
  document.documentElement.dataset.session = 'out';
  clear(document.getElementById('account'));
  clear(document.getElementById('foot'));
  signin.show(main, {reason, onSignedIn: () => signedIn(false)});
}

function signedIn(isFirst) {
  document.documentElement.dataset.session = 'in';
  showAccount();
  followWaiting();
  if (!isRouting) {
    isRouting = true;
    start({shown, failed});
    preload();
  }
  clear(main);
  show({isFirst});
}

function showAccount() {
  const {name, roles, version, node} = session();
  for (const anchor of document.querySelectorAll('#pages a')) {
    anchor.hidden = !anchor.dataset.roles.split(' ').some(hasRole);
  }
  replace(document.getElementById('account'),
    h('span', {class: 'account-name', title: `roles: ${roles.join(', ')}`}, plain(name)),
    h('button', {type: 'button', class: 'quiet', id: 'sign-out', onclick: () => signOut().catch(() => {})},
      'Sign out'));
  replace(document.getElementById('foot'),
    h('span', null, `Gatebook ${plain(version ?? '')}`),
    node && h('span', null, `node ${plain(node)}`),
    h('span', null, `roles: ${roles.map(plain).join(', ')}`),
    h('button', {type: 'button', class: 'quiet', onclick: showKeys}, 'Keys ', h('kbd', null, '?')));
}

function shown({page: name, query}) {
  setTitle(name === 'whatif' ? 'What-if' : name ? name[0].toUpperCase() + name.slice(1) : 'Home');
  for (const anchor of document.querySelectorAll('#pages a')) {
    if (anchor.dataset.page === name) {
      anchor.setAttribute('aria-current', 'page');
      anchor.scrollIntoView({block: 'nearest', inline: 'nearest'});
    } else {
      anchor.removeAttribute('aria-current');
    }
  }
  if (name === 'calls') {
    search.value = [toText(fromQuery(query)), query.q].filter(Boolean).join(' ');
  } else if (name !== 'call' && name !== 'tree' && document.activeElement !== search) {
    search.value = '';
  }
}

function failed(element, error) {
  if (error.code !== 401) {
    replace(element, page('This page cannot be shown', problem(error),
      h('p', null, h('button', {type: 'button', onclick: () => location.reload()}, 'Try again'))));
  }
}

function followSearch() {
  document.getElementById('search-form').addEventListener('submit', event => {
    event.preventDefault();
    const {id, filters, unknown} = parse(search.value);
    search.blur();
    main.querySelector('h1')?.focus({preventScroll: true}); // so that the keys of pages work again
    navigate('calls', id ? {q: id} : {...filters, q: unknown.join(' ')});
  });
}

function followKeys() {
  let goUntil = 0;
  document.addEventListener('keydown', event => {
    if (event.key === 'Escape' && event.target === search) {
      search.blur();
      return;
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey
        || isTyping(event.target) || document.querySelector('dialog[open]')
        || document.documentElement.dataset.session !== 'in') {
      return;
    }
    const isGo = Date.now() < goUntil;
    goUntil = 0;
    if (isGo && Object.hasOwn(PAGES_BY_KEY, event.key)) {
      event.preventDefault();
      navigate(PAGES_BY_KEY[event.key][1]);
    } else if (event.key === '/') {
      event.preventDefault();
      search.focus();
      search.select();
    } else if (event.key === 'g') {
      goUntil = Date.now() + GO_MILLIS;
    } else if (event.key === '?') {
      event.preventDefault();
      showKeys();
    } else if (event.key === 'j' || event.key === 'k') {
      moveRow(event, event.key === 'j' ? 1 : -1);
    }
  });
}

function isTyping(element) {
  return element.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(element.tagName);
}

/** Moves the focus to the next row: to its first link or button, or to the row itself. */
function moveRow(event, step) {
  const rows = [...main.querySelectorAll('[data-row]')];
  if (rows.length === 0) {
    return;
  }
  event.preventDefault();
  const at = rows.findIndex(row => row.contains(document.activeElement));
  const row = rows[at < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + step, 0), rows.length - 1)];
  const target = row.tabIndex >= 0 ? row : row.querySelector('summary, a[href], button:not([disabled])');
  target?.focus();
  row.scrollIntoView({block: 'nearest'});
}

function showKeys() {
  const keys = [
    [['/'], 'search'],
    ...Object.entries(PAGES_BY_KEY).map(([key, [name]]) => [['g', key], name]),
    [['j'], 'next row'], [['k'], 'previous row'], [['Enter'], 'open'],
    [['a'], 'approve, on Approvals'], [['r'], 'reject, on Approvals'],
    [['Esc'], 'leave a field, close a dialog'], [['?'], 'these keys'],
  ];
  dialog('Keys', h('dl', {class: 'keys'}, keys.map(([combination, what]) =>
    h('div', null,
      h('dt', null, combination.map((key, i) => [i > 0 && ' then ', h('kbd', null, key)])),
      h('dd', null, what)))));
}

/** Counts what waits for a person, and again when an approval began or ended. */
function followWaiting() {
  stopFollowing();
  const controller = new AbortController();
  stopFollowing = () => controller.abort();
  if (hasRole('view') || hasRole('approve')) {
    countWaiting();
  }
  if (hasRole('view')) {
    refreshOn({
      names: APPROVAL_EVENTS,
      concerns: events => waitingCount > 0 || events.some(event => event.name.startsWith('Approval')),
      refresh: countWaiting,
      signal: controller.signal,
    });
  }
}

async function countWaiting() {
  try {
    const {approvals, more} = await call('approvals.list', {limit: WAITING_MAX});
    showWaiting(approvals.length, more);
  } catch {
    // the next event asks again
  }
}

function showWaiting(n, more = false) {
  const element = document.getElementById('waiting-count');
  const before = waitingCount;
  waitingCount = n;
  element.hidden = n === 0;
  replace(element, h('span', {'aria-hidden': 'true'}, count(n) + (more ? '+' : '')),
    h('span', {class: 'sr'}, `, ${n} waiting`));
  setWaiting(n);
  if (n > before && here().page !== 'approvals') {
    announce(`${n} ${n === 1 ? 'call waits' : 'calls wait'} for a person.`);
  }
}
