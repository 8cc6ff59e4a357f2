// Counts over time: which buckets a period has, what falls into each, and what that says. Pure.
// Buckets are those of `audit.denials`: whole minutes, hours or days in UTC.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const BUCKET_MILLIS = {minute: MINUTE, hour: HOUR, day: DAY};

/** The dimension for a period of so many milliseconds. */
export function bucketFor(millis) {
  return millis <= 3 * HOUR ? 'minute' : millis <= 30 * DAY ? 'hour' : 'day';
}

/** The first moments of the buckets that a period touches, in milliseconds. */
export function bucketStarts(since, until, bucket) {
  const size = BUCKET_MILLIS[bucket];
  const starts = [];
  for (let at = Math.floor(since / size) * size; at < until; at += size) {
    starts.push(at);
  }
  return starts;
}

/** The milliseconds of an RFC 3339 time, whose nanoseconds not every browser reads. */
export function millisOf(iso) {
  return Date.parse(String(iso).replace(/(\.\d{3})\d+/, '$1'));
}

/** The counts of groups that have a bucket, one for each start: zero where nothing happened. */
export function fill(groups, bucket, starts) {
  const size = BUCKET_MILLIS[bucket];
  const counts = new Array(starts.length).fill(0);
  for (const group of groups) {
    const index = Math.round((millisOf(group[bucket]) - starts[0]) / size);
    if (index >= 0 && index < counts.length) {
      counts[index] += group.count;
    }
  }
  return counts;
}

/** The key of a group in some dimensions. A code has its dialect with it. */
export function keyOf(group, dimensions) {
  return JSON.stringify(columnsOf(dimensions).map(column => group[column] ?? null));
}

/** The members that groups have for these dimensions. */
export function columnsOf(dimensions) {
  return dimensions.flatMap(dimension => (dimension === 'code' ? ['dialect', 'code'] : [dimension]));
}

/**
 * Adds up groups that are finer than the dimensions given, largest first: `count`, `lastAt` and
 * `lastCallId` as the node would give them, and `parts`, which are the groups added up.
 */
export function rollUp(groups, dimensions) {
  const sums = new Map();
  for (const group of groups) {
    const key = keyOf(group, dimensions);
    const sum = sums.get(key);
    if (sum === undefined) {
      const members = Object.fromEntries(columnsOf(dimensions).map(it => [it, group[it] ?? null]));
      sums.set(key, {...members, key, count: group.count, lastAt: group.lastAt, lastCallId: group.lastCallId, parts: [group]});
      continue;
    }
    sum.count += group.count;
    sum.parts.push(group);
    if (isLater(group.lastAt, sum.lastAt)) {
      sum.lastAt = group.lastAt;
      sum.lastCallId = group.lastCallId;
    }
  }
  return [...sums.values()].sort((a, b) => b.count - a.count || (isLater(a.lastAt, b.lastAt) ? -1 : 1));
}

/** Compares times of any number of digits. */
export function isLater(one, other) {
  if (other === null || other === undefined) {
    return one !== null && one !== undefined;
  }
  return one !== null && one !== undefined && comparable(one) > comparable(other);
}

function comparable(iso) {
  const [seconds, fraction = ''] = iso.replace(/Z$/, '').split('.');
  return `${seconds}.${fraction.padEnd(9, '0')}`;
}

/** Whether a group has the values of a filter; values are compared as texts, null as none. */
export function isIn(group, filter) {
  return Object.entries(filter).every(([name, value]) => String(group[name] ?? '') === String(value ?? ''));
}

/**
 * Cuts a period in two where a bucket begins; null when it is a single bucket. Groups that have the
 * bucket among their dimensions are then wholly in one half.
 */
export function halves(since, until, bucket) {
  const starts = bucketStarts(since, until, bucket);
  if (starts.length < 2) {
    return null;
  }
  const middle = starts[Math.ceil(starts.length / 2)];
  return [[since, middle], [middle, until]];
}

/**
 * The trend that the counts of equal buckets show, by the rule of `audit.errors`: the later half
 * against the earlier. `new` when the earlier half has none; `rising` and `falling` need a
 * difference of more than half that chance does not explain; `unclear` in less than five minutes
 * or, except for `new`, with fewer than ten.
 */
export function trend(counts, bucketMillis) {
  const half = Math.floor(counts.length / 2);
  if (2 * half * bucketMillis < 5 * MINUTE) {
    return 'unclear';
  }
  const middle = counts.length - half;
  const earlier = total(counts.slice(middle - half, middle));
  const later = total(counts.slice(middle));
  if (earlier === 0 && later > 0) {
    return 'new';
  }
  const count = earlier + later;
  if (count < 10) {
    return 'unclear';
  }
  if (Math.abs(later - earlier) <= 2 * Math.sqrt(count)) {
    return 'steady';
  }
  return later > 1.5 * earlier ? 'rising' : earlier > 1.5 * later ? 'falling' : 'steady';
}

export function total(counts) {
  return counts.reduce((sum, count) => sum + count, 0);
}
