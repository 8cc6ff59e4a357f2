// What was counted in a period, by a dimension and over time, asked of the node: the counts are exact
// however many groups there are.

import {BUCKET_MILLIS, bucketFor, bucketStarts, fill, halves, keyOf, millisOf, total} from './buckets.js';

const REQUESTS_MAX = 12;

/**
 * Counts by a dimension, and by series and bucket. Where there are more groups in the buckets than
 * the node lists at a time, it asks for parts of the period; where even those have more, the groups
 * have no course, and only the series are counted over time.
 *
 * @param ask `(dimensions, {since, until})` asks the node and returns `{groups, more, total?}`
 * @param from when the period begins, null for all time; `to` when it ends, null for now; `series`
 *     is the dimension of the bars, null when they are those of the groups
 * @return `{starts, bucket, bucketMillis, fine, groups, total, more, chartMore}`: `groups` are those
 *     of the node by the dimension, each with a `key` and, unless there are too many, its `counts`;
 *     `fine` are groups by series and bucket, at least; `more` and `chartMore` say that some are
 *     missing there
 */
export async function countOverTime(ask, {from, to, by, series = null, now = Date.now()}) {
  const asked = ask([by], {since: from, until: to});
  const first = from ? millisOf(from) : await beginning(ask, to, await asked);
  const {bucket, starts: begun} = buckets(first, to, now);

  const split = async (dimensions, begin, end, budget) => {
    budget.left -= 1;
    const answer = await ask(dimensions, {since: begin, until: end});
    const parts = answer.more && budget.left >= 2
      ? halves(millisOf(begin ?? iso(begun[0])), end ? millisOf(end) : begun.at(-1) + BUCKET_MILLIS[bucket], bucket)
      : null;
    if (!parts) {
      return {groups: answer.groups, more: answer.more};
    }
    const middle = iso(parts[0][1]);
    const [one, other] = [await split(dimensions, begin, middle, budget), await split(dimensions, middle, end, budget)];
    return {groups: [...one.groups, ...other.groups], more: one.more || other.more};
  };
  const overTime = dimensions => split([...new Set([...dimensions, bucket])], from, to, {left: REQUESTS_MAX});

  const seriesOnly = series ? [series] : [];
  const [coarse, whole] = await Promise.all([asked, overTime([...seriesOnly, by])]);
  const shown = whole.more ? await overTime(seriesOnly) : whole;
  const starts = extended(begun, shown.groups, bucket);
  const courses = whole.more ? null : byKey(whole.groups, by);
  return {
    starts,
    bucket,
    bucketMillis: BUCKET_MILLIS[bucket],
    fine: shown.groups,
    groups: coarse.groups.map(group => {
      const key = keyOf(group, [by]);
      return {...group, key, ...(courses ? {counts: fill(courses.get(key) ?? [], bucket, starts)} : {})};
    }),
    total: coarse.total ?? total(coarse.groups.map(it => it.count)),
    more: coarse.more,
    droppedThrough: coarse.droppedThrough,
    chartMore: shown.more,
  };
}

/** When all time begins, in milliseconds: with the first one; Infinity when there is none. */
async function beginning(ask, to, {groups, more}) {
  const all = more ? (await ask(['day'], {since: null, until: to})).groups : groups;
  return Math.min(...all.filter(it => it.firstAt).map(it => millisOf(it.firstAt)));
}

function byKey(groups, by) {
  const map = new Map();
  for (const group of groups) {
    const key = keyOf(group, [by]);
    map.has(key) ? map.get(key).push(group) : map.set(key, [group]);
  }
  return map;
}

function buckets(first, to, now) {
  const end = to ? millisOf(to) : now;
  const begin = Math.min(end - 1, first);
  const bucket = bucketFor(end - begin);
  return {bucket, starts: bucketStarts(begin, end, bucket)};
}

/** The buckets as far as something was counted: the clock of the node may be ahead of this one. */
function extended(starts, groups, bucket) {
  const times = groups.map(it => millisOf(it[bucket]));
  return bucketStarts(
    times.reduce((one, other) => Math.min(one, other), starts[0]),
    times.reduce((one, other) => Math.max(one, other), starts.at(-1)) + 1,
    bucket);
}

function iso(millis) {
  return new Date(millis).toISOString();
}
