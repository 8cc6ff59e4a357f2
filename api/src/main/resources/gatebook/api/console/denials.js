// Denied calls, counted: over time and by what they have in common, with the calls behind each number.

import {columnsOf, fill} from './buckets.js';
import {LIMIT, TREND_OF_HALVES, callsList, filterOf, given, groupTable, showCounts} from './counting.js';
import {h} from './dom.js';
import {code, count, errorCode, plain} from './format.js';
import {GATES} from './filter.js';
import {countOverTime} from './over-time.js';
import {call} from './rpc.js';
import {droppedNote, empty} from './ui.js';

export const title = 'Denials';

const DIMENSIONS = [['gate', 'Gate'], ['tool', 'Tool'], ['principal', 'Principal'], ['reason', 'Reason'], ['code', 'Code']];
const FILTERS = ['gate', 'tool', 'principal', 'reason', 'dialect', 'code'];
const PERIOD = '24h';

export function show(main, {query, signal}) {
  const filter = filterOf(query, FILTERS);
  const by = DIMENSIONS.some(([name]) => name === query.by) ? query.by : 'gate';
  return showCounts(main, {
    heading: title,
    pageName: 'denials',
    query,
    signal,
    filter,
    period: PERIOD,
    dimensions: DIMENSIONS,
    by,
    chart: {label: 'Denials over time, by gate', noun: ['denial', 'denials']},
    events: ['GateDenied'],
    count: async period => {
      const ask = (dimensions, span) =>
        call('audit.denials', {by: dimensions, limit: LIMIT, ...paramsOf(filter), ...given(span)}, {signal});
      const counted = await countOverTime(ask, {...period, by, series: 'gate'});
      return {
        bars: {times: counted.starts, series: seriesByGate(counted), bucketMillis: counted.bucketMillis},
        groups: groupsNode(counted, {query, by}),
      };
    },
    calls: period => callsNode(period, filter, signal),
  });
}

function seriesByGate({fine, starts, bucket}) {
  return GATES.map(gate => ({
    label: gate,
    colour: `--gate-${gate}`,
    counts: fill(fine.filter(it => it.gate === gate), bucket, starts),
  }));
}

function groupsNode(counted, {query, by}) {
  const label = DIMENSIONS.find(([name]) => name === by)[1];
  if (counted.groups.every(it => it.count === 0)) {
    return empty('Nothing was denied in this time.',
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

function callsNode({from, to}, filter, signal) {
  return callsList('audit.deniedCalls', {...paramsOf(filter), ...given({since: from, until: to})}, {
    caption: 'Denied calls, newest first',
    columns: [
      {label: 'Gate', cell: row => plain(row.gate ?? '–')},
      {label: 'Reason', cell: row => plain(row.reason ?? '–')},
    ],
    signal,
  });
}
