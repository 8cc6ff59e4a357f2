// Denied calls, counted: over time and by what they have in common, with the calls behind each number.

import {link} from './address.js';
import {columnsOf, fill} from './buckets.js';
import {LIMIT, TREND_OF_HALVES, callsList, filterOf, given, groupTable, showCounts} from './counting.js';
import {h} from './dom.js';
import {code, count, errorCode, plain} from './format.js';
import {GATES} from './filter.js';
import {countOverTime} from './over-time.js';
import {call} from './rpc.js';
import {basis, observedBasis, observedStatus, verdict} from './rulings.js';
import {droppedNote, empty} from './ui.js';

export const title = 'Denials';

const DIMENSIONS = [['gate', 'Gate'], ['tool', 'Tool'], ['principal', 'Principal'], ['reason', 'Reason'], ['code', 'Code']];
const FILTERS = ['gate', 'tool', 'principal', 'reason', 'dialect', 'code'];
const TOLD = ['dialect', 'code'];
const PERIOD = '24h';

/** The calls that the gates denied, or with `observed` in the address those that a candidate would deny. */
export function show(main, {query, signal}) {
  const observed = query.observed === 'yes';
  const filter = filterOf(query, observed ? FILTERS.filter(it => !TOLD.includes(it)) : FILTERS);
  const dimensions = DIMENSIONS.filter(([name]) => !observed || !TOLD.includes(name));
  const by = dimensions.some(([name]) => name === query.by) ? query.by : 'gate';
  const params = {...paramsOf(filter), ...(observed ? {observed} : {})};
  return showCounts(main, {
    heading: title,
    pageName: 'denials',
    query,
    signal,
    filter,
    period: PERIOD,
    choice: choiceNode(query, observed),
    dimensions,
    by,
    chart: {
      label: observed ? 'What the candidate would deny over time, by gate' : 'Denials over time, by gate',
      noun: ['denial', 'denials'],
    },
    events: observed ? ['GateDenied', 'CallAdmitted', 'ApprovalRequested'] : ['GateDenied'],
    count: async period => {
      const ask = (dimensions, span) =>
        call('audit.denials', {by: dimensions, limit: LIMIT, ...params, ...given(span)}, {signal});
      const counted = await countOverTime(ask, {...period, by, series: 'gate'});
      return {
        bars: {times: counted.starts, series: seriesByGate(counted, observed), bucketMillis: counted.bucketMillis},
        groups: groupsNode(counted, {query, by, observed}),
      };
    },
    calls: period => callsNode(period, params, signal),
  });
}

/** Links to the two kinds of denials. */
function choiceNode(query, observed) {
  const choice = (value, label) => link('denials', {...query, ...without(TOLD, query), observed: value, show: null}, {
    'aria-current': (value === 'yes') === observed ? 'true' : null,
    'data-key': `observed-${value}`,
  }, label);
  return h('nav', {class: 'dimensions', 'aria-label': 'Denied by'},
    h('span', {class: 'muted'}, 'denied by'), choice(null, 'the gates'), choice('yes', 'the candidate'));
}

/** The params of an address without these filters. */
function without(names, query) {
  return {
    ...Object.fromEntries(names.map(name => [name, null])),
    no: (query.no ?? '').split(',').filter(it => !names.includes(it)).join(','),
  };
}

function seriesByGate({fine, starts, bucket}, observed) {
  const series = (gate, label, colour) =>
    ({label, colour, counts: fill(fine.filter(it => it.gate === gate), bucket, starts)});
  return [
    ...GATES.map(gate => series(gate, gate, `--gate-${gate}`)),
    ...(observed ? [series(null, 'unknown principal', '--muted')] : []),
  ];
}

function groupsNode(counted, {query, by, observed}) {
  const label = DIMENSIONS.find(([name]) => name === by)[1];
  if (counted.groups.every(it => it.count === 0)) {
    return observed
      ? empty('No candidate would have denied anything in this time.',
        'Choose a longer time, or take a filter away. Rules observe a candidate with the key observe.')
      : empty('Nothing was denied in this time.',
        'Choose a longer time, or take a filter away. A call that a gate denies shows up here by itself.');
  }
  return [
    counted.chartMore && h('p', {class: 'note'}, 'The bars leave out the smallest groups: there are more than the node lists. Narrow the time to see all.'),
    groupTable('denials', query, counted.groups, {
      caption: `Denials by ${label.toLowerCase()}`,
      columns: [{label, member: by, show: group => shownMember(group, by)}],
      filterFor: group => filterFor(group, by),
      total: counted.total,
      bucketMillis: counted.bucketMillis,
      trendOf: TREND_OF_HALVES,
    }),
    droppedNote(counted),
    counted.more && h('p', {class: 'note'}, `There are more groups; these are the ${count(counted.groups.length)} largest. Narrow the time, or add a filter, to see the others.`),
    !counted.more && !counted.groups[0].counts && h('p', {class: 'note'}, 'There are too many groups to show the course of each. Narrow the time, or add a filter.'),
  ];
}

function shownMember(group, by) {
  return by === 'code'
    ? [h('span', {class: 'muted'}, `${plain(group.dialect ?? '–')} `), errorCode(group.code)]
    : by === 'tool' || by === 'principal' ? code(group[by], {max: 80}) : plain(group[by] ?? '–');
}

function filterFor(group, by) {
  return Object.fromEntries(columnsOf([by]).map(it => [it, group[it] ?? null]));
}

/** The params of the node for a filter of the address. */
function paramsOf(filter) {
  return filter.code ? {...filter, code: Number(filter.code)} : filter;
}

function callsNode({from, to}, params, signal) {
  return callsList('audit.deniedCalls', {...params, ...given({since: from, until: to})}, {
    caption: params.observed ? 'Calls that the candidate would deny, newest first' : 'Denied calls, newest first',
    columns: params.observed
      ? [
        {label: 'Decided', class: 'verdict-cell', cell: row => row.decided && [verdict(row.decided), basisNode([['gate', row.decided.gate], ...basis(row.decided)])]},
        {label: 'Candidate', class: 'verdict-cell', cell: row => row.observed && [observedStatus(row.observed), basisNode([['gate', row.observed.gate], ...observedBasis(row.observed)])]},
      ]
      : [
        {label: 'Gate', cell: row => plain(row.gate ?? '–')},
        {label: 'Reason', cell: row => plain(row.reason ?? '–')},
      ],
    signal,
  });
}

/** What a verdict rests on, as pairs of a name and a value. */
function basisNode(pairs) {
  return pairs.filter(([, value]) => value).map(([name, value]) =>
    h('div', {class: 'gate-basis muted'}, name, ' ', typeof value === 'string' ? plain(value) : value));
}
