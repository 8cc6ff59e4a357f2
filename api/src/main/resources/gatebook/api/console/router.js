// The address is the state: it names the page, what it shows and how it is filtered.

import {h, keptFocus} from './dom.js';
import {silent} from './rpc.js';

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
  node: () => import('./node.js'),
};

let showing = {controller: null, key: ''};
let focusesHeading = false;
let onShown = () => {};
let onFailed = () => {};

/**
 * The address of a page. The path is a page's name, an array of a name and an id, or an address
 * that this function made.
 */
export function address(path, query = {}) {
  const where = typeof path === 'string' && path.startsWith('/')
    ? path
    : '/console/' + [path].flat().map(encodeURIComponent).join('/');
  const pairs = Object.entries(query).filter(([, value]) =>
    value !== undefined && value !== null && value !== '');
  const search = new URLSearchParams(pairs).toString();
  return (where === '/console/' ? '/' : where) + (search ? `?${search}` : '');
}

/** Shows a page. With `replace` the address takes the place of the present one in the history. */
export function navigate(path, query = {}, {replace = false} = {}) {
  const to = address(path, query);
  if (replace || to === location.pathname + location.search) {
    history.replaceState(null, '', to);
  } else {
    rememberScroll();
    history.pushState(null, '', to);
  }
  return show();
}

/** A link to a page. Props for the element may stand before the children, as a plain object. */
export function link(path, query, ...children) {
  const isProps = children[0] && Object.getPrototypeOf(children[0]) === Object.prototype;
  const props = isProps ? children.shift() : {};
  return h('a', {href: address(path, query ?? {}), ...props}, ...children);
}

/** Where the browser is: `{page, id, query}`. */
export function here() {
  const [, first, page = '', ...rest] = location.pathname.split('/');
  return {
    page: first === 'console' ? page : '',
    id: rest.length ? decoded(rest.join('/')) : null,
    query: Object.fromEntries(new URLSearchParams(location.search)),
  };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

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
  focusesHeading = !isSamePage && !isFirst;
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

/** Whether the heading that is about to be shown gets the focus; true once for each new page. */
export function takeHeadingFocus() {
  const takes = focusesHeading;
  focusesHeading = false;
  return takes;
}

function rememberScroll() {
  history.replaceState({scroll: window.scrollY}, '');
}
