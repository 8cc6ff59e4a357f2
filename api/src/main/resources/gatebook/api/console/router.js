// Shows the page that the address names. It imports all pages, so no page imports it.

import {here, navigate, onNavigate} from './address.js';
import {keptFocus} from './dom.js';
import {silent} from './rpc.js';
import {focusNextHeading} from './ui.js';

const ROUTES = {
  '': () => import('./home.js'),
  calls: () => import('./calls.js'),
  call: () => import('./call.js'),
  tree: () => import('./tree.js'),
  denials: () => import('./denials.js'),
  errors: () => import('./errors.js'),
  live: () => import('./live.js'),
  approvals: () => import('./approvals.js'),
  rules: () => import('./rules.js'),
  whatif: () => import('./whatif.js'),
  node: () => import('./node.js'),
};

let showing = {controller: null, key: ''};
let onShown = () => {};
let onFailed = () => {};

onNavigate(() => show());

/** Begins to follow links and the history. */
export function start({shown, failed}) {
  onShown = shown;
  onFailed = failed;
  history.scrollRestoration = 'manual';
  window.addEventListener('popstate', () => {
    if (!location.hash) { // a fragment is no page
      show({scrollTo: history.state?.scroll ?? 0});
    }
  });
  document.addEventListener('click', event => {
    const anchor = event.target.closest?.('a[href]');
    if (!anchor || event.defaultPrevented || event.button !== 0 || anchor.target || anchor.download
        || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
      return;
    }
    const url = new URL(anchor.href);
    const isPage = url.pathname === '/' || url.pathname.startsWith('/console/');
    if (url.origin !== location.origin || !isPage || url.pathname.startsWith('/console/assets/')
        || anchor.getAttribute('href').startsWith('#')) {
      return;
    }
    event.preventDefault();
    navigate(url.pathname, Object.fromEntries(url.searchParams));
  });
}

/** Shows the page of the present address again, or for the first time. */
export async function show({scrollTo = null, isFirst = false} = {}) {
  const {page, id, query} = here();
  const key = `${page}/${id ?? ''}`;
  const isSamePage = key === showing.key;
  showing.controller?.abort();
  const controller = new AbortController();
  showing = {controller, key};
  focusNextHeading(!isSamePage && !isFirst);
  const main = document.getElementById('page');
  const restoreFocus = isSamePage ? keptFocus(main) : () => {};
  if (!isSamePage && scrollTo === null) {
    window.scrollTo(0, 0);
  }
  onShown({page, id, query});
  try {
    const module = await (Object.hasOwn(ROUTES, page) ? ROUTES[page] : ROUTES[''])().catch(notLoaded);
    if (controller.signal.aborted) {
      return;
    }
    await module.show(main, {id, query, signal: controller.signal});
  } catch (error) {
    if (!controller.signal.aborted && error.name !== 'AbortError') {
      onFailed(main, error);
    }
  }
  if (!controller.signal.aborted) {
    restoreFocus();
    if (scrollTo !== null) {
      window.scrollTo(0, scrollTo);
    }
  }
}

/** Loads the files of all pages, so that each can be shown while the node does not answer. */
export function preload() {
  Object.values(ROUTES).forEach(load => load().catch(() => {})); // it is loaded again when it is shown
}

function notLoaded(cause) {
  throw Object.assign(silent('the page could not be loaded'), {cause});
}

/** Leaves the page that is shown, so that the next `show` begins anew. */
export function leave() {
  showing.controller?.abort();
  showing = {controller: null, key: ''};
}
