// The denials of a period, counted exactly by asking the node for groups, however many there are.

import {BUCKET_MILLIS, bucketFor, bucketStarts, fill, halves, isIn, isLater, millisOf, rollUp, total, trend} from './buckets.js';
import {GATES} from './filter.js';

const REQUESTS_MAX = 12;

/**
 * Counts by gate, dimension and bucket at once. Where there are more groups than the node lists at
 * a time, it asks for parts of the period; where even those have more, the bars and the groups are
 * counted apart, and the groups have no course.
 *
 * @param ask `(dimensions, {since, until})` asks the node and returns `{total, groups, more}`
 * @param from when the period begins, null for all time; `to` when it ends, null for now
 * @return `{starts, bucket, bucketMillis, fine, groups, total, more, chartMore, isExactFirst}`:
 *     `fine` are groups by gate and bucket, at least, and `groups` those by the dimension; `more`
 *     and `chartMore` say that some are missing there
 */
export async function countDenials(ask, {from, to, filter, by, now = Date.now()}) {
  const filtered = Object.keys(filter).map(name => (name === 'dialect' ? 'code' : name));
  const askFor = (dimensions, since, until) => ask([...new Set(dimensions)], {since, until});
  const {since, bucket, starts: begun} = await buckets(askFor, from, to, now);

  const budget = {left: REQUESTS_MAX};
  const split = async (dimensions, begin, end) => {
    budget.left -= 1;
    const answer = await askFor(dimensions, begin, end);
    const parts = answer.more && budget.left >= 2
      ? halves(millisOf(begin ?? iso(begun[0])), end ? millisOf(end) : begun.at(-1) + BUCKET_MILLIS[bucket], bucket)
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
  const withStarts = groups => ({starts: upTo(groups, begun, bucket), bucket, bucketMillis: BUCKET_MILLIS[bucket]});
  if (!whole.more) {
    const fine = within(whole.groups);
    const common = withStarts(fine);
    const groups = withEveryGate(rollUp(fine, [by]).map(group => withCourse(group, common)), {by, filter, starts: common.starts});
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
  const coarse = await askFor([...filtered, by], since, to);
  const groups = rollUp(within(coarse.groups), [by]);
  const isUnfiltered = Object.keys(filter).length === 0;
  return {
    ...withStarts(overTime.groups),
    fine: within(overTime.groups),
    groups,
    total: isUnfiltered ? coarse.total : null,
    more: coarse.more,
    chartMore: overTime.more,
  };
}

/** Where the counting begins, and its buckets. Of all time the first denial tells the beginning. */
async function buckets(askFor, from, to, now) {
  const end = to ? millisOf(to) : now;
  if (from) {
    const bucket = bucketFor(end - millisOf(from));
    return {since: from, bucket, starts: bucketStarts(millisOf(from), Math.max(end, millisOf(from) + 1), bucket)};
  }
  const first = Math.min(end - 1, await firstBucket(askFor, to));
  const bucket = bucketFor(end - first);
  return {since: null, bucket, starts: bucketStarts(first, end, bucket)};
}

/** The hour of the first denial, in milliseconds; Infinity when there is none. */
async function firstBucket(askFor, to) {
  const earliest = (groups, bucket) => Math.min(...groups.map(it => millisOf(it[bucket])));
  const day = earliest((await askFor(['day'], null, to)).groups, 'day');
  if (day === Infinity) {
    return day;
  }
  const {groups} = await askFor(['hour'], iso(day), iso(day + BUCKET_MILLIS.day));
  return Math.min(day + BUCKET_MILLIS.day, earliest(groups, 'hour'));
}

/** The buckets up to the last that has something: the clock of the node may be ahead of this one. */
function upTo(groups, starts, bucket) {
  const last = groups.reduce((latest, it) => Math.max(latest, millisOf(it[bucket])), starts.at(-1));
  return bucketStarts(starts[0], last + 1, bucket);
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
    counts,
    trend: trend(counts, bucketMillis),
    firstAt: firsts.reduce((first, it) => (isLater(first, it) ? it : first)),
  };
}

function iso(millis) {
  return new Date(millis).toISOString();
}
