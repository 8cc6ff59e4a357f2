// The address is the state: it names the page, what it shows and how it is filtered.

import {h} from './dom.js';

let showPage = () => {};

/** Sets the function that shows the page of the present address; `navigate` calls it. */
export function onNavigate(show) {
  showPage = show;
}

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
  return showPage();
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

function rememberScroll() {
  history.replaceState({scroll: window.scrollY}, '');
}
