// Error responses, grouped: over time and by what they have in common, with the calls behind each number.

import {columnsOf, fill} from './buckets.js';
import {LIMIT, TREND_OF_HALVES, TREND_OF_RATES, callsList, filterOf, given, groupTable, showCounts} from './counting.js';
import {h} from './dom.js';
import {code, count, errorCode, plain, statusBadge} from './format.js';
import {countOverTime} from './over-time.js';
import {call} from './rpc.js';
import {droppedNote, empty} from './ui.js';

export const title = 'Errors';

const DIMENSIONS = [['error', 'Error'], ['fault', 'Fault'], ['code', 'Code'], ['tool', 'Tool'], ['gate', 'Gate'],
  ['agent', 'Agent'], ['skill', 'Skill']];
const FILTERS = ['fingerprint', 'fault', 'dialect', 'code', 'tool', 'gate', 'agent', 'skill'];
/** The node's names of dimensions that have another one here. */
const NODE_NAMES = {error: 'fingerprint', tool: 'target'};
const PERIOD = '24h';
const SERIES_MAX = 5;

export function show(main, {query, signal}) {
  const by = DIMENSIONS.some(([name]) => name === query.by) ? query.by : 'error';
  const filter = filterOf(query, FILTERS);
  return showCounts(main, {
    heading: title,
    pageName: 'errors',
    query,
    signal,
    filter,
    period: PERIOD,
    dimensions: DIMENSIONS,
    by,
    chart: {label: 'Errors over time', noun: ['error', 'errors']},
    events: ['ErrorTranslated', 'MessageRefused', 'MessagesRefused'],
    count: async period => {
      const ask = (dimensions, span) => askFor(dimensions, {...paramsOf(filter), ...given(span)}, signal);
      const counted = await countOverTime(ask, {...period, by});
      return {bars: barsOf(counted, by), groups: groupsNode(counted, {query, by})};
    },
    calls: period => callsNode(period, filter, signal),
  });
}

/** Errors of all members in common have the node's own groups, whose trend is that of the period. */
async function askFor(dimensions, params, signal) {
  const isWhole = dimensions.length === 1 && dimensions[0] === 'error';
  const by = dimensions.map(it => NODE_NAMES[it] ?? it);
  const answer = await call('audit.errors', {limit: LIMIT, ...(isWhole ? {} : {by}), ...params}, {signal});
  return {...answer, groups: answer.groups.map(({target = null, fingerprint = null, ...group}) =>
    ({...group, tool: target, fingerprint, error: fingerprint}))};
}

/** The params of the node for a filter of the address. */
function paramsOf({tool, ...filter}) {
  const params = tool === undefined ? filter : {...filter, target: tool};
  return /^-?\d+$/.test(filter.code ?? '') ? {...params, code: Number(filter.code)} : params;
}

/** The largest groups have a colour each; the others share one. */
function barsOf({groups, fine, starts, bucket, bucketMillis, chartMore}, by) {
  if (chartMore || groups.length === 0 || !groups[0].counts) {
    const counts = fill(fine, bucket, starts);
    return {times: starts, bucketMillis, series: [{label: 'errors', colour: '--series-1', counts}]};
  }
  const largest = groups.slice(0, groups.length > SERIES_MAX ? SERIES_MAX - 1 : SERIES_MAX);
  const others = groups.slice(largest.length);
  const series = largest.map((group, index) => ({
    label: labelOf(group, by),
    colour: `--series-${index + 1}`,
    counts: group.counts,
  }));
  if (others.length > 0) {
    series.push({
      label: `${others.length} others`,
      colour: '--series-other',
      counts: starts.map((_, index) => others.reduce((sum, it) => sum + it.counts[index], 0)),
    });
  }
  return {times: starts, bucketMillis, series};
}

function labelOf(group, by) {
  switch (by) {
    case 'error': return [group.fault, group.tool].filter(Boolean).join(' · ');
    case 'code': return `${group.dialect} ${group.code ?? '–'}`;
    default: return String(group[by] ?? 'none');
  }
}

function groupsNode(counted, {query, by}) {
  if (counted.groups.length === 0) {
    return empty('No caller got an error in this time.',
      'Choose a longer time, or take a filter away. An error that a caller gets shows up here by itself.');
  }
  return [
    groupTable('errors', query, counted.groups, {
      caption: by === 'error' ? 'Errors that have all in common' : `Errors by ${by}`,
      columns: columnsFor(by),
      filterFor: group => filterFor(group, by),
      total: counted.total,
      bucketMillis: counted.bucketMillis,
      trendOf: by === 'error' ? TREND_OF_HALVES : TREND_OF_RATES,
    }),
    droppedNote(counted),
    counted.more && h('p', {class: 'note'}, `There are more groups; these are the ${count(LIMIT)} largest. Narrow the time, or add a filter, to see the others.`),
    !counted.more && !counted.groups[0].counts && h('p', {class: 'note'}, 'There are too many groups to show the course of each. Narrow the time, or add a filter.'),
  ];
}

function columnsFor(by) {
  const codeColumn = {label: 'Code', member: 'code', show: group => [h('span', {class: 'muted'}, `${plain(group.dialect ?? '–')} `), errorCode(group.code)]};
  switch (by) {
    case 'error':
      return [
        {label: 'Fault', member: 'fault', show: group => plain(group.fault)},
        codeColumn,
        {label: 'Tool', member: 'tool'},
        {label: 'Gate', member: 'gate', show: group => plain(group.gate ?? '–')},
      ];
    case 'code':
      return [codeColumn];
    case 'gate':
      return [{label: 'Gate', member: 'gate', show: group => plain(group.gate ?? 'none')}];
    default:
      return [{label: DIMENSIONS.find(([name]) => name === by)[1], member: by}];
  }
}

function filterFor(group, by) {
  if (by === 'error') {
    return {fingerprint: group.fingerprint};
  }
  return Object.fromEntries(columnsOf([by]).map(it => [it, group[it] ?? null]));
}

function callsNode({from, to}, filter, signal) {
  return callsList('audit.failedCalls', {...paramsOf(filter), ...given({since: from, until: to})}, {
    caption: 'Calls that ended with an error, newest first',
    noun: 'error',
    columns: [
      {label: 'Fault', class: 'clip-cell', cell: row => code(row.fault, {max: 40})},
      {label: 'Status', cell: row => [statusBadge(row.status), row.times > 1 && h('span', {class: 'muted'}, `, ${count(row.times)} messages`)]},
    ],
    signal,
  });
}
