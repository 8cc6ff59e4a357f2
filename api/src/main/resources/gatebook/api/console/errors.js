// Error responses, grouped: over time and by what they have in common, with the calls behind each number.

import {columnsOf, isIn, isLater, millisOf, rollUp, total, trend} from './buckets.js';
import {LIMIT, callsList, filterOf, given, groupTable, showCounts} from './counting.js';
import {h} from './dom.js';
import {code, count, errorCode, plain, statusBadge} from './format.js';
import {call} from './rpc.js';
import {empty} from './ui.js';

export const title = 'Errors';

/** Only errors of agents have these, and the node counts by them apart. */
const OF_AGENTS = ['agent', 'skill'];
const NOT_OF_AGENTS = ['fault', 'gate', 'tool', 'fingerprint'];

const WITHOUT_AGENTS = Object.fromEntries(OF_AGENTS.map(it => [it, null]));
const ONLY_AGENTS = Object.fromEntries(NOT_OF_AGENTS.map(it => [it, null]));
const DIMENSIONS = [
  ['error', 'Error', WITHOUT_AGENTS],
  ['fault', 'Fault', WITHOUT_AGENTS],
  ['code', 'Code'],
  ['tool', 'Tool', WITHOUT_AGENTS],
  ['gate', 'Gate', WITHOUT_AGENTS],
  ['agent', 'Agent', ONLY_AGENTS],
  ['skill', 'Skill', ONLY_AGENTS],
];
const PERIOD = '24h';
const SERIES_MAX = 5;

export function show(main, {query, signal}) {
  const asked = DIMENSIONS.some(([name]) => name === query.by) ? query.by : 'error';
  const ofAgents = OF_AGENTS.includes(asked) || OF_AGENTS.some(name => query[name]);
  const by = ofAgents && !['agent', 'skill', 'code'].includes(asked) ? 'agent' : asked;
  const filter = filterOf(query, ['dialect', 'code', ...(ofAgents ? OF_AGENTS : NOT_OF_AGENTS)]);
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
      const counted = await countErrors({...period, filter, by, ofAgents, signal});
      return {bars: barsOf(counted), groups: groupsNode(counted, {query, by})};
    },
    calls: period => callsNode(period, filter, signal),
  });
}

/** A node's group has its target under the name that filters have for it. */
function renamed({target, ...group}) {
  return {...group, tool: target ?? null};
}

async function countErrors({from, to, filter, by, ofAgents, signal}) {
  const dimensions = [...new Set([by, ...Object.keys(filter).map(it => (it === 'dialect' ? 'code' : it))])];
  const answer = await call('audit.errors',
    {limit: LIMIT, ...given({since: from, until: to}), ...(ofAgents ? {by: dimensions} : {})}, {signal});
  const bucketMillis = answer.bucketSeconds * 1_000;
  const start = millisOf(answer.since);
  const fine = answer.groups.map(renamed).filter(it => isIn(it, filter));
  const groups = rollUp(fine, by === 'error' ? ['fingerprint', 'dialect', 'code', 'fault', 'gate', 'tool'] : [by])
    .map(group => withCourse(group, bucketMillis));
  return {
    by,
    groups,
    more: answer.more,
    bucketMillis,
    starts: Array.from({length: 24}, (_, index) => start + index * bucketMillis),
  };
}

/** The trend of one group is the node's; that of several added up follows the same rule. */
function withCourse(group, bucketMillis) {
  const counts = Array.from({length: 24}, (_, index) => group.parts.reduce((sum, it) => sum + (it.sparkline[index] ?? 0), 0));
  return {
    ...group,
    counts,
    trend: group.parts.length === 1 ? group.parts[0].trend : trend(counts, bucketMillis),
    firstAt: group.parts.map(it => it.firstAt).reduce((first, it) => (isLater(first, it) ? it : first)),
  };
}

/** The largest groups have a colour each; the others share one. */
function barsOf({groups, starts, bucketMillis, by}) {
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
  return {
    times: starts,
    bucketMillis,
    series: series.length > 0 ? series : [{label: 'errors', colour: '--series-1', counts: starts.map(() => 0)}],
  };
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
      total: total(counted.groups.map(it => it.count)),
      bucketMillis: counted.bucketMillis,
    }),
    counted.more && h('p', {class: 'note'}, `There are more groups than the node lists: these numbers count its ${count(LIMIT)} largest. Narrow the time to count all.`),
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

function callsNode({from, to}, {tool, ...filter}, signal) {
  const params = {...filter, ...given({since: from, until: to})};
  if (tool !== undefined) {
    params.target = tool;
  }
  if (/^-?\d+$/.test(filter.code ?? '')) {
    params.code = Number(filter.code);
  }
  return callsList('audit.failedCalls', params, {
    caption: 'Calls that ended with an error, newest first',
    noun: 'error',
    columns: [
      {label: 'Fault', class: 'clip-cell', cell: row => code(row.fault, {max: 40})},
      {label: 'Status', cell: row => [statusBadge(row.status), row.times > 1 && h('span', {class: 'muted'}, `, ${count(row.times)} messages`)]},
    ],
    signal,
  });
}
