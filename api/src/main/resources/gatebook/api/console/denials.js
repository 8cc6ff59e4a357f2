// Denied calls, counted: over time and by what they have in common, with the calls behind each number.

import {BUCKET_MILLIS, bucketFor, bucketStarts, columnsOf, fill, halves, isIn, isLater, millisOf, rollUp, total} from './buckets.js';
import {LIMIT, callsList, course, filterOf, given, groupTable, showCounts} from './counting.js';
import {h} from './dom.js';
import {code, count, errorCode, plain} from './format.js';
import {GATES} from './filter.js';
import {call} from './rpc.js';
import {empty} from './ui.js';

export const title = 'Denials';

const DIMENSIONS = [['gate', 'Gate'], ['tool', 'Tool'], ['principal', 'Principal'], ['reason', 'Reason'], ['code', 'Code']];
const FILTERS = ['gate', 'tool', 'principal', 'reason', 'dialect', 'code'];
const PERIOD = '24h';
const REQUESTS_MAX = 12;

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
      const counted = await countDenials({...period, filter, by, signal});
      return {
        bars: {times: counted.starts, series: seriesByGate(counted), bucketMillis: counted.bucketMillis},
        groups: groupsNode(counted, {query, by}),
      };
    },
    calls: period => callsNode(period, filter, signal),
  });
}

/**
 * Counts by gate, dimension and bucket at once. Where there are more groups than the node lists at
 * a time, it asks for parts of the period; where even those have more, the bars and the groups are
 * counted apart, and the groups have no course.
 */
export async function countDenials({from, to, filter, by, signal}) {
  const filtered = Object.keys(filter).map(name => (name === 'dialect' ? 'code' : name));
  const ask = (dimensions, since, until) =>
    call('audit.denials', {by: [...new Set(dimensions)], limit: LIMIT, ...given({since, until})}, {signal});
  const {since, bucket, starts} = await buckets(ask, from, to);

  const budget = {left: REQUESTS_MAX};
  const split = async (dimensions, begin, end) => {
    budget.left -= 1;
    const answer = await ask(dimensions, begin, end);
    const parts = answer.more && budget.left >= 2
      ? halves(millisOf(begin ?? iso(starts[0])), end ? millisOf(end) : starts.at(-1) + BUCKET_MILLIS[bucket], bucket)
      : null;
    if (!parts) {
      return {groups: answer.groups, more: answer.more};
    }
    const middle = iso(parts[0][1]);
    const [one, other] = [await split(dimensions, begin, middle), await split(dimensions, middle, end)];
    return {groups: [...one.groups, ...other.groups], more: one.more || other.more};
  };

  const whole = await split([...filtered, 'gate', by, bucket], since, to);
  const within = groups => groups.filter(it => isIn(it, filter));
  const common = {starts, bucket, bucketMillis: BUCKET_MILLIS[bucket]};
  if (!whole.more) {
    const fine = within(whole.groups);
    const groups = withEveryGate(rollUp(fine, [by]).map(group => withCourse(group, common)), {by, filter, starts});
    return {
      ...common,
      fine,
      groups,
      total: total(fine.map(it => it.count)),
      more: false,
      chartMore: false,
      isExactFirst: fine.every(it => it.firstAt),
    };
  }
  budget.left = REQUESTS_MAX;
  const overTime = await split([...filtered, 'gate', bucket], since, to);
  const coarse = await ask([...filtered, by], since, to);
  const groups = rollUp(within(coarse.groups), [by]);
  const isUnfiltered = Object.keys(filter).length === 0;
  return {
    ...common,
    fine: within(overTime.groups),
    groups,
    total: isUnfiltered ? coarse.total : null,
    more: coarse.more,
    chartMore: overTime.more,
  };
}

/** Where the counting begins, and its buckets. Of all time the first denial tells the beginning. */
async function buckets(ask, from, to) {
  const end = to ? millisOf(to) : Date.now();
  if (from) {
    const bucket = bucketFor(end - millisOf(from));
    return {since: from, bucket, starts: bucketStarts(millisOf(from), Math.max(end, millisOf(from) + 1), bucket)};
  }
  const {groups} = await ask(['day'], null, to);
  const first = Math.min(end - 1, ...groups.map(it => millisOf(it.day)));
  const bucket = bucketFor(end - first);
  return {since: null, bucket, starts: bucketStarts(first, end, bucket)};
}

/** By gate alone, each gate has a row. */
function withEveryGate(groups, {by, filter, starts}) {
  if (by !== 'gate' || filter.gate) {
    return groups;
  }
  const none = {count: 0, counts: new Array(starts.length).fill(0), trend: 'unclear', firstAt: null, lastAt: null, lastCallId: null};
  return GATES.map(gate => groups.find(it => it.gate === gate) ?? {...none, gate, key: gate});
}

function withCourse(group, {starts, bucket, bucketMillis}) {
  const counts = fill(group.parts, bucket, starts);
  const firsts = group.parts.map(it => it.firstAt ?? it[bucket]);
  return {
    ...group,
    ...course(counts, bucketMillis),
    firstAt: firsts.reduce((first, it) => (isLater(first, it) ? it : first)),
  };
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
      total: counted.total ?? total(counted.groups.map(it => it.count)),
      bucketMillis: counted.bucketMillis,
      firstBucket: counted.isExactFirst ? null : counted.bucket,
    }),
    counted.more && h('p', {class: 'note'}, `There are more groups; these are the ${count(counted.groups.length)} largest. Narrow the time, or add a filter, to see the others.`),
    !counted.more && !counted.groups[0].counts && h('p', {class: 'note'}, 'There are too many groups to show the course of each. Narrow the time, or add a filter.'),
  ];
}

function shownMember(group, by) {
  return by === 'code'
    ? [h('span', {class: 'muted'}, `${plain(group.dialect ?? '–')} `), errorCode(group.code)]
    : by === 'tool' || by === 'principal' ? code(group[by], {max: 80}) : plain(group[by] ?? '–');
}

/** A group without the member, as of denials without a tool, cannot be asked for. */
function filterFor(group, by) {
  const members = columnsOf([by]).map(it => [it, group[it]]);
  return members.some(([, value]) => value === null) ? null : Object.fromEntries(members);
}

function callsNode({from, to}, filter, signal) {
  const params = {...filter, ...given({since: from, until: to})};
  if (filter.code !== undefined) {
    params.code = Number(filter.code);
  }
  return callsList('audit.deniedCalls', params, {
    caption: 'Denied calls, newest first',
    columns: [
      {label: 'Gate', cell: row => plain(row.gate ?? '–')},
      {label: 'Reason', cell: row => plain(row.reason ?? '–')},
    ],
    signal,
  });
}

function iso(millis) {
  return new Date(millis).toISOString();
}
