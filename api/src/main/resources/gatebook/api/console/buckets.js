// Counts over time: which buckets a period has, what falls into each, and what that says. Pure.
// Buckets are those of `audit.denials` and `audit.errors`: whole minutes, hours or days in UTC.

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

export function total(counts) {
  return counts.reduce((sum, count) => sum + count, 0);
}
