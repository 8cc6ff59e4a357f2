// Shared parts of the pages of counts: filters in the address, groups with their course, and the calls behind a number.

import {link, navigate} from './address.js';
import {bars, sparkline} from './chart.js';
import {h, replace} from './dom.js';
import {code, count, counted, duration, errorCode, plain, time} from './format.js';
import {instant} from './filter.js';
import {call, hasRole} from './rpc.js';
import {refreshOn} from './refresh.js';
import {busy, droppedNote, empty, page, periodPicker, problem, table} from './ui.js';

export const LIMIT = 1_000;
const CALLS = 50;
const REFRESH_MILLIS = 5_000;

/** The period of an address, `period` when it has none: `{since, until}` as written and as times. */
function periodOf(query, period, now = Date.now()) {
  const since = query.since ?? period;
  const until = query.until ?? '';
  return {
    since,
    until,
    from: since === 'all' || since === '' ? null : instant(since, now) ?? instant(period, now),
    to: until === '' ? null : instant(until, now),
  };
}

/** The filters among the params of an address, by these names; null where `no` names one. */
export function filterOf(query, names) {
  const none = absent(query);
  return Object.fromEntries(names
    .filter(name => (query[name] ?? '') !== '' || none.includes(name))
    .map(name => [name, query[name] || null]));
}

function absent(query) {
  return (query.no ?? '').split(',').filter(Boolean);
}

/** The params of an address with these filters besides; null asks for what has no value. */
function narrowed(query, filter) {
  const others = absent(query).filter(name => !Object.hasOwn(filter, name));
  const none = Object.keys(filter).filter(name => filter[name] === null);
  return {...query, ...filter, no: [...others, ...none].join(','), show: null};
}

/** The filters that are set, each with a button that takes it away. */
function filterLine(pageName, query, filter) {
  const names = Object.keys(filter);
  if (names.length === 0) {
    return null;
  }
  const without = name => ({...query, [name]: null, no: absent(query).filter(it => it !== name).join(','), show: null});
  return h('ul', {class: 'chips', 'aria-label': 'Filters'}, names.map(name =>
    h('li', {class: 'chip'},
      h('span', {class: 'name'}, `${name}:`), filter[name] === null ? 'none' : code(filter[name], {max: 40}),
      h('button', {
        type: 'button',
        'aria-label': `Remove the filter ${name}`,
        'data-key': `without-${name}`,
        onclick: () => navigate(pageName, without(name)),
      }, '×'))));
}

/** Links to the dimensions by which groups can be shown; a dimension may take filters away. */
function dimensionLinks(pageName, query, dimensions, chosen) {
  return h('nav', {class: 'dimensions', 'aria-label': 'Groups'},
    h('span', {class: 'muted'}, 'by'),
    dimensions.map(([name, label, change]) => link(pageName, {...query, ...change, by: name, show: null}, {
      'aria-current': name === chosen ? 'true' : null,
      'data-key': `by-${name}`,
    }, label)));
}

const TRENDS = {
  new: ['new', 'is-new', '✦'],
  rising: ['rising', 'is-rising', '↗'],
  falling: ['falling', 'is-falling', '↘'],
  steady: ['steady', 'is-steady', '→'],
  unclear: ['unclear', 'is-unclear', ''],
};

export function trendMark(word) {
  const [label, style, mark] = TRENDS[word] ?? TRENDS.unclear;
  return h('span', {class: `trend ${style}`}, mark && h('span', {'aria-hidden': 'true'}, `${mark} `), label);
}

export const TREND_OF_HALVES = 'The trend compares the later half of this time with the earlier half.';
export const TREND_OF_RATES = 'The trend compares the last hour of this time with the day before that hour.';

/**
 * A table of groups: `{members, count, counts, firstAt, lastAt, lastCallId, trend}` each, where
 * `counts` over time may be missing.
 *
 * @param options `caption`; `columns` as `{label, member, show?}` for what the groups have in common;
 *     `filterFor(group)`: the filters that select exactly the group's calls; `total` of which a
 *     count is a share; `bucketMillis` of the counts; `trendOf`: the sentence that says what the
 *     trend compares
 */
export function groupTable(pageName, query, groups, {caption, columns, filterFor, total, bucketMillis, trendOf}) {
  const most = Math.max(1, ...groups.map(it => it.count));
  const target = (group, more) => {
    const filter = filterFor(group);
    return filter && {...narrowed(query, filter), ...more};
  };
  const valueLink = (group, node) => {
    const to = target(group, {});
    return to ? link(pageName, to, {class: 'plain'}, node) : node;
  };
  const callsLink = group => {
    const to = group.count > 0 && target(group, {show: 'calls'});
    const label = `${counted(group.count, 'call')}, show`;
    return to ? link(pageName, to, {'aria-label': label}, count(group.count)) : count(group.count);
  };
  const hasCourse = groups.some(it => it.counts);
  return [table([
    ...columns.map(({label, member, show}, index) => ({
      label,
      isHeader: index === 0,
      class: 'clip-cell',
      cell: group => (index === 0 ? valueLink(group, show?.(group) ?? code(group[member], {max: 80})) : show?.(group) ?? code(group[member], {max: 60})),
    })),
    {label: 'Count', numeric: true, cell: callsLink},
    columns.length === 1 && {
      label: 'Share', class: 'share-cell', cell: group => [
        h('span', {class: 'share', 'aria-hidden': 'true'}, h('span', {style: {width: `${(100 * group.count) / most}%`}})),
        h('span', {class: 'muted num'}, share(group.count, total)),
      ],
    },
    hasCourse && {label: 'Over time', cell: group => group.counts && courseOf(group, bucketMillis)},
    {label: 'Trend', cell: group => trendMark(group.trend)},
    {label: 'First seen', cell: group => time(group.firstAt)},
    {label: 'Last seen', cell: group => lastSeen(group)},
  ].filter(Boolean), groups, {caption, rowKey: group => group.key}), h('p', {class: 'muted table-remark'}, trendOf)];
}

function courseOf({counts, trend: word}, bucketMillis) {
  const busiest = Math.max(...counts);
  return sparkline(counts, `${word}; at most ${busiest} in ${duration(bucketMillis)}`);
}

function lastSeen({lastAt, lastCallId}) {
  return lastCallId ? link(['call', lastCallId], {}, {class: 'plain'}, time(lastAt)) : time(lastAt);
}

function share(part, all) {
  if (!all) {
    return '';
  }
  const percent = (100 * part) / all;
  return percent > 0 && percent < 1 ? '< 1 %' : `${Math.round(percent)} %`;
}

/**
 * The calls behind the numbers, newest first, and how many there are.
 *
 * @param options `columns` before the call's own, `caption`, and the `noun` of what is listed
 */
export async function callsList(method, params, {columns, caption, noun = 'call', signal}) {
  const first = await call(method, {...params, limit: CALLS}, {signal});
  let {cursor} = first;
  if (first.calls.length === 0) {
    return [empty('No call matches.', 'Take a filter away, or choose a longer time.'), droppedNote(first)];
  }
  const onMore = async () => {
    const next = await call(method, {...params, limit: CALLS, cursor}, {signal});
    ({cursor} = next);
    return {rows: next.calls, more: Boolean(cursor)};
  };
  const node = table([
    {label: 'At', isHeader: true, cell: row => timeLink(row)},
    ...columns,
    {label: 'Tool', class: 'clip-cell', cell: row => code(row.target ?? row.method, {max: 60})},
    {label: 'Principal', class: 'clip-cell', cell: row => code(row.principal, {max: 40})},
    {label: 'Code', numeric: true, cell: row => [row.dialect && h('span', {class: 'muted'}, `${plain(row.dialect)} `), errorCode(row.code)]},
    {label: 'Took', numeric: true, cell: row => duration(row.durationMillis)},
    {label: 'Correlation', class: 'clip-cell', cell: row => code(row.correlationId, {max: 28})},
  ], first.calls, {caption, rowKey: row => row.callId ?? row.at, onMore: cursor ? onMore : undefined});
  return [h('p', {class: 'muted'}, `${counted(first.total, noun)} in all, newest first.`), node, droppedNote(first)];
}

function timeLink({at, receivedAt, callId}) {
  const shown = time(at ?? receivedAt);
  return callId ? link(['call', callId], {}, shown) : shown;
}

/**
 * Shows a page of counts: the bars, the groups, and the calls. `count(period)` returns `{bars,
 * groups}`, `calls(period)` the node of the list. What is open at its end is counted again after
 * events with the names given. `choice`, where there is one, is the node that chooses what is counted.
 */
export async function showCounts(main, {heading, pageName, query, signal, filter, period, choice, dimensions, by, chart, events, count: countAll, calls}) {
  const {since, until} = periodOf(query, period);
  const narrow = change => navigate(pageName, {...query, ...change, show: null});
  const chartPlace = h('div', {class: 'chart-place'});
  const groupsPlace = h('div');
  const callsHeading = h('h2', {id: 'calls-heading', tabIndex: -1}, 'Calls');
  const callsPlace = h('div', {class: 'calls-place'});

  const content = page(heading,
    h('div', {class: 'toolbar'},
      periodPicker({since: since === 'all' ? '' : since, until}, chosen => narrow({...chosen, since: chosen.since || 'all'})),
      choice,
      filterLine(pageName, query, filter)),
    chartPlace,
    h('section', {class: 'section', 'aria-labelledby': 'groups-heading'},
      h('div', {class: 'section-head'},
        h('h2', {id: 'groups-heading'}, 'Groups'),
        dimensionLinks(pageName, query, dimensions, by)),
      groupsPlace),
    h('section', {class: 'section', 'aria-labelledby': 'calls-heading'}, callsHeading, callsPlace));

  let drawn = null;
  const draw = data => {
    if (drawn) {
      drawn.update(data);
    } else {
      drawn = bars(chartPlace, {...data, ...chart, signal, onSelect: (from, to) => narrow({since: from, until: to})});
    }
  };
  const loadCounts = async () => {
    try {
      const {bars: data, groups} = await busy(countAll(periodOf(query, period)));
      if (!signal.aborted) {
        draw(data);
        replace(groupsPlace, groups);
      }
    } catch (error) {
      if (!signal.aborted) {
        replace(groupsPlace, problem(error));
      }
    }
  };
  const loadCalls = () => fillSection(callsPlace, calls(periodOf(query, period)), signal);
  const isExtended = () => callsPlace.querySelectorAll('[data-row]').length > CALLS;

  const loading = Promise.all([loadCounts(), loadCalls()]);
  await soon(loading);
  replace(main, content);
  await loading;
  if (query.show === 'calls' && !signal.aborted) {
    callsHeading.focus({preventScroll: true});
    callsHeading.scrollIntoView({block: 'start'});
  }
  if (until === '' && hasRole('view')) {
    refreshOn({
      names: events,
      refresh: oneAtATime(() => Promise.all([loadCounts(), isExtended() ? null : loadCalls()])),
      everyMillis: REFRESH_MILLIS,
      signal,
    });
  }
}

/** The params that have a value. */
export function given(params) {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null && value !== undefined && value !== ''));
}

/** Waits for a promise a moment, so that a page that is soon complete does not show half of itself. */
function soon(promise) {
  return Promise.race([promise.catch(() => {}), new Promise(resolve => setTimeout(resolve, 200))]);
}

/** Fills a section when the promise of its node is kept; shows the problem when it is not. */
async function fillSection(place, promise, signal) {
  try {
    const node = await busy(promise);
    if (!signal.aborted) {
      replace(place, node);
    }
  } catch (error) {
    if (!signal.aborted && error.name !== 'AbortError') {
      replace(place, problem(error));
    }
  }
}

/** An action that is not begun again while it runs, but once more afterwards when it was asked for meanwhile. */
function oneAtATime(action) {
  let isRunning = false;
  let isDue = false;
  return async () => {
    isDue = true;
    if (isRunning) {
      return;
    }
    isRunning = true;
    try {
      while (isDue) {
        isDue = false;
        await action();
      }
    } finally {
      isRunning = false;
    }
  };
}
