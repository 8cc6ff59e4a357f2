// The parts that pages share.

import {append, h, replace} from './dom.js';
import {plain, time} from './format.js';
import {print} from './json.js';
import {RpcError} from './rpc.js';

const PRODUCT = 'Gatebook';
const BUSY_AFTER_MILLIS = 150;
const HIGHLIGHT_CHARS_MAX = 16_384;

let pageTitle = '';
let waiting = 0;
let busyCount = 0;
let focusesHeading = false;

/** Sets whether the heading of the next page gets the focus. */
export function focusNextHeading(isDue) {
  focusesHeading = isDue;
}

/**
 * A page with its heading. The heading gets the focus when the page was just navigated to, unless a
 * person types into a field already.
 */
export function page(title, ...children) {
  const heading = title instanceof Node && title.tagName === 'H1' ? title : h('h1', null, title);
  heading.tabIndex = -1;
  heading.dataset.key = 'heading';
  setTitle(heading.textContent);
  if (focusesHeading) {
    focusesHeading = false;
    queueMicrotask(() => heading.isConnected && !document.activeElement?.matches('input, textarea, select')
      && heading.focus({preventScroll: true}));
  }
  return h('article', {class: 'page'}, heading, ...children);
}

/** The title of the document; it counts what waits for a person. */
export function setTitle(title) {
  pageTitle = title;
  showTitle();
}

/** How many calls wait for a person. */
export function setWaiting(n) {
  waiting = n;
  showTitle();
}

function showTitle() {
  const parts = [pageTitle, PRODUCT].filter(part => part && part !== '');
  document.title = (waiting > 0 ? `(${waiting}) ` : '') + [...new Set(parts)].join(' · ');
}

/** Says, below an answer, that it lacks events which were dropped for good; nothing where it does not. */
export function droppedNote({droppedThrough}) {
  return droppedThrough && h('p', {class: 'note'}, 'Events were dropped through ', time(droppedThrough),
    ': of what is from before, only a part is kept.');
}

/** Announces a sentence to screen readers. */
export function announce(text) {
  const announcer = document.getElementById('announcer');
  announcer.textContent = '';
  setTimeout(() => {
    announcer.textContent = text;
  }, 50);
}

/** Marks the page as busy until the promise ends, when that takes a moment. Returns the promise. */
export function busy(promise) {
  let isShown = false;
  const timer = setTimeout(() => {
    isShown = true;
    showBusy(1);
  }, BUSY_AFTER_MILLIS);
  const end = () => {
    clearTimeout(timer);
    if (isShown) {
      showBusy(-1);
    }
  };
  promise.then(end, end);
  return promise;
}

function showBusy(change) {
  busyCount += change;
  document.documentElement.classList.toggle('is-busy', busyCount > 0);
  document.getElementById('page').setAttribute('aria-busy', String(busyCount > 0));
}

/** Disables a button while some work lasts. The button keeps the focus unless it went elsewhere. */
export async function whileDisabled(button, work) {
  const hadFocus = document.activeElement === button;
  button.disabled = true;
  try {
    await work();
  } finally {
    button.disabled = false;
    if (hadFocus && (!document.activeElement || document.activeElement === document.body)) {
      button.focus({preventScroll: true});
    }
  }
}

/** The content of an empty page or list: a sentence, and what to do next. */
export function empty(sentence, ...whatToDo) {
  return h('div', {class: 'empty'},
    h('p', {class: 'empty-sentence'}, sentence),
    whatToDo.length > 0 && h('div', {class: 'empty-next'}, ...whatToDo.map(it =>
      it instanceof Node && it.tagName !== 'A' ? it : h('p', null, it))));
}

/** An error in a person's words, with the correlation id by which the log has more. */
export function problem(error) {
  const [sentence, next] = words(error);
  const id = error instanceof RpcError ? error.correlationId : null;
  return h('div', {class: 'problem', role: 'alert'},
    h('p', {class: 'problem-sentence'}, sentence),
    next && h('p', null, next),
    id && h('p', {class: 'problem-id'}, 'Correlation id ', h('bdi', {class: 'code'}, plain(id)), ' ',
      copyButton(id, 'Copy the correlation id')));
}

function words(error) {
  if (!(error instanceof RpcError)) {
    return ['This page met an error of its own.', plain(error?.message ?? String(error))];
  }
  switch (error.code) {
    case 0: return ['The node does not answer.',
      'See whether it runs: ./gatebook serve. This page goes on by itself once it answers.'];
    case 401: return ['You are signed out.', 'Sign in again to go on.'];
    case 403: return ['You may not do this.',
      `Your operator lacks a role for it: ${plain(error.message)}.`];
    case 404: return ['The node has no such method or page.',
      'It may be older than this console: reload the page.'];
    case 429: return ['Too many attempts.', 'Wait a moment and try again.'];
    case 503: return ['The node cannot do this now.', sentenceOf(error.message)];
    case -32601: return ['The node does not know this method.',
      'It may be older than this console: reload the page.'];
    case -32602: return ['The node refused what was asked.', sentenceOf(error.message)];
    case -32603: return ['The node met an error of its own.',
      'Its log has more under the correlation id below.'];
    default: return [sentenceOf(error.message), null];
  }
}

function sentenceOf(message) {
  const text = plain(message);
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
}

/** A button that copies a text, or what a function returns. */
export function copyButton(text, label = 'Copy') {
  const button = h('button', {
    type: 'button', class: 'quiet copy', 'aria-label': label, title: label,
    onclick: async () => {
      const isCopied = await copy(typeof text === 'function' ? text() : String(text));
      button.dataset.state = isCopied ? 'done' : 'failed';
      announce(isCopied ? 'Copied.' : 'The browser did not allow copying.');
      setTimeout(() => delete button.dataset.state, 1_500);
    },
  });
  return button;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text); // without a secure context there is no clipboard
  }
}

function copyBySelection(text) {
  const area = h('textarea', {class: 'offscreen', readOnly: true, 'aria-hidden': 'true', tabIndex: -1});
  area.value = text;
  const before = document.activeElement;
  (before?.closest('dialog') ?? document.body).append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    area.remove();
    before?.focus({preventScroll: true});
  }
}

/**
 * A table, which scrolls inside its own region and becomes a list of cards where it is narrow.
 *
 * @param columns `{label, cell(row), numeric?, class?}` each
 * @param options `caption` (required; shown only to screen readers unless `showCaption`); `onMore`:
 *     called for the next rows, returns `{rows, more}` or an array; `more`: whether there are more
 *     rows, true by default where `onMore` is given; `rowKey(row)`, `rowClass(row)`
 */
export function table(columns, rows, options = {}) {
  const {caption = '', showCaption = false, onMore, more = Boolean(onMore)} = options;
  const body = h('tbody', {role: 'rowgroup'});
  appendRows(body, columns, rows, options);
  const region = h('div', {class: 'table-region', tabIndex: 0, role: 'region', 'aria-label': caption || 'Table',
    'data-key': `table-${caption}`},
    h('table', {role: 'table'},
      h('caption', {class: showCaption ? '' : 'sr'}, caption),
      h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'}, columns.map(column =>
        h('th', {scope: 'col', role: 'columnheader', class: cellClass(column)},
          column.hideLabel ? h('span', {class: 'sr'}, capital(column.label)) : capital(column.label))))),
      body));
  return h('div', {class: 'table-block'}, region,
    onMore && more && moreButton(async () => {
      const answer = await onMore();
      const next = Array.isArray(answer) ? {rows: answer, more: answer.length > 0} : answer;
      const first = appendRows(body, columns, next?.rows ?? [], options);
      first?.querySelector('a, button')?.focus();
      announce(`${next?.rows?.length ?? 0} more rows.`);
      return Boolean(next?.more);
    }));
}

function appendRows(body, columns, rows, {rowKey, rowClass}) {
  const elements = rows.map(row =>
    h('tr', {role: 'row', 'data-row': rowKey ? String(rowKey(row)) : '', class: rowClass?.(row)},
      columns.map(column =>
        h(column.isHeader ? 'th' : 'td',
          {
            class: cellClass(column),
            role: column.isHeader ? 'rowheader' : 'cell',
            'data-label': capital(column.label),
            scope: column.isHeader && 'row',
          },
          column.cell(row)))));
  append(body, elements);
  return elements[0];
}

function cellClass(column) {
  return [column.numeric && 'numeric', column.class].filter(Boolean).join(' ') || null;
}

function moreButton(load) {
  const place = h('div', {class: 'more'});
  const button = h('button', {
    type: 'button', 'data-key': 'show-more',
    onclick: () => whileDisabled(button, async () => {
      try {
        if (!await busy(load())) {
          place.remove();
        }
      } catch (error) {
        if (error.name !== 'AbortError') {
          replace(place, button, problem(error));
        }
      }
    }),
  }, 'Show more');
  return append(place, button);
}

/** Tabs: `{label, content}` each, where the content is a node, or a function that makes it. */
export function tabs(label, items) {
  const panel = h('div', {role: 'tabpanel', class: 'tab-panel', tabIndex: 0});
  const prefix = `tabs-${tabs.count = (tabs.count ?? 0) + 1}`;
  const buttons = items.map((item, index) => h('button', {
    type: 'button', role: 'tab', id: `${prefix}-${index}`,
    onclick: () => select(index),
    onkeydown: event => {
      const step = {ArrowRight: 1, ArrowLeft: -1, Home: -index, End: items.length - 1 - index}[event.key];
      if (step !== undefined) {
        event.preventDefault();
        const next = (index + step + items.length) % items.length;
        select(next);
        buttons[next].focus();
      }
    },
  }, item.label));
  select(0);
  return h('div', {class: 'tabs'}, h('div', {role: 'tablist', 'aria-label': label}, buttons), panel);

  function select(selected) {
    buttons.forEach((button, index) => {
      button.setAttribute('aria-selected', String(index === selected));
      button.tabIndex = index === selected ? 0 : -1;
    });
    panel.setAttribute('aria-labelledby', `${prefix}-${selected}`);
    const {content} = items[selected];
    replace(panel, typeof content === 'function' ? content() : content);
  }
}

/** Opens a dialog. Returns `{element, close}`; `onClose` is called when it was closed. */
export function dialog(title, children, {onClose} = {}) {
  const id = `dialog-${dialog.count = (dialog.count ?? 0) + 1}`;
  const before = document.activeElement;
  const element = h('dialog', {'aria-labelledby': id},
    h('div', {class: 'dialog-head'},
      h('h2', {id}, title),
      h('button', {type: 'button', class: 'quiet', 'aria-label': 'Close', onclick: () => element.close()}, '✕')),
    h('div', {class: 'dialog-body'}, children));
  element.addEventListener('close', () => {
    element.remove();
    before?.isConnected && before.focus({preventScroll: true});
    onClose?.();
  });
  element.addEventListener('click', event => event.target === element && element.close());
  document.body.append(element);
  element.showModal();
  return {element, close: () => element.close()};
}

const PERIODS = [['1h', 'last hour'], ['24h', 'last 24 hours'], ['7d', 'last 7 days'], ['30d', 'last 30 days'],
  ['', 'all time']];

/** Chooses a period. `onChange` gets `{since, until}` as texts that filters accept. */
export function periodPicker({since = '', until = ''} = {}, onChange) {
  const isKnown = PERIODS.some(([value]) => value === since) && !until;
  const select = h('select', {
    'data-key': 'period', 'aria-label': 'Period',
    onchange: () => select.value === 'custom' ? fields.hidden = false : onChange({since: select.value, until: ''}),
  },
  PERIODS.map(([value, label]) => h('option', {value, selected: isKnown && value === since}, label)),
  h('option', {value: 'custom', selected: !isKnown}, 'from … to …'));
  const from = h('input', {type: 'text', 'aria-label': 'From', placeholder: '2h or 2026-01-02 14:00', value: since,
    'data-key': 'period-from', size: 18});
  const to = h('input', {type: 'text', 'aria-label': 'To', placeholder: 'now', value: until, 'data-key': 'period-to',
    size: 18});
  const fields = h('span', {class: 'period-fields', hidden: isKnown}, from, ' to ', to,
    h('button', {type: 'button', 'data-key': 'period-apply',
      onclick: () => onChange({since: from.value.trim(), until: to.value.trim()})}, 'Apply'));
  for (const field of [from, to]) {
    field.addEventListener('keydown', event =>
      event.key === 'Enter' && onChange({since: from.value.trim(), until: to.value.trim()}));
  }
  return h('span', {class: 'period'}, select, fields);
}

/** A recorded JSON value, in a region of its own that scrolls when it is long. */
export function jsonBlock(value, label = 'JSON') {
  return textBlock(print(value), label, {isJson: true});
}

/** A long text as it is, in a region of its own; hidden characters are shown by their names. */
export function textBlock(text, label, {isJson = false, copied = text} = {}) {
  const pre = h('pre', {tabIndex: 0, role: 'region', 'aria-label': label});
  append(pre, isJson && text.length <= HIGHLIGHT_CHARS_MAX ? coloured(text) : revealed(text));
  return h('div', {class: 'block'}, pre, copyButton(copied, `Copy: ${label}`));
}

const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*|true|false|null)/g;

function coloured(text) {
  const nodes = [];
  let from = 0;
  for (const match of text.matchAll(TOKENS)) {
    nodes.push(text.slice(from, match.index));
    const kind = match[2] ? 'j-name' : match[1] ? 'j-text' : 'j-value';
    nodes.push(h('span', {class: kind}, revealed(match[1] ?? match[3])), match[2] ?? '');
    from = match.index + match[0].length;
  }
  nodes.push(text.slice(from));
  return nodes;
}

/** Line feeds and tabs are seen in a block as what they are. */
function revealed(text) {
  if (!REVEALED.test(text)) {
    return text;
  }
  return text.split(REVEALED_PARTS).map((part, index) => index % 2
    ? h('span', {class: 'hidden-char'}, `U+${part.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
    : part);
}

const REVEALED_CLASS = '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u180b-\\u180f'
  + '\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb\\u{e0000}-\\u{e01ef}\\p{Cs}]';
const REVEALED = new RegExp(REVEALED_CLASS, 'u');
const REVEALED_PARTS = new RegExp(`(${REVEALED_CLASS})`, 'u');

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A list of names and values, as `[name, value]`; pairs without a value are left out. */
export function facts(pairs, props = {}) {
  return h('dl', {class: 'facts', ...props}, pairs
    .filter(pair => pair && pair[1] !== null && pair[1] !== undefined && pair[1] !== '')
    .map(([name, value]) => h('div', null, h('dt', null, capital(name)), h('dd', null, value))));
}
