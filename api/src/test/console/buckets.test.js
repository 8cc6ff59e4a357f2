import assert from 'node:assert/strict';
import test from 'node:test';
import {bucketFor, bucketStarts, fill, halves, keyOf} from '../../main/resources/gatebook/api/console/buckets.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const at = iso => Date.parse(iso);

test('Buckets grow with the period', () => {
  assert.deepEqual(
    [1, 3 * HOUR, 3 * HOUR + 1, 30 * DAY, 30 * DAY + 1].map(bucketFor),
    ['minute', 'minute', 'hour', 'hour', 'day']);
});

test('A period touches whole buckets', () => {
  assert.deepEqual(
    bucketStarts(at('2026-01-02T03:04:05Z'), at('2026-01-02T05:00:00Z'), 'hour'),
    [at('2026-01-02T03:00:00Z'), at('2026-01-02T04:00:00Z')]);
  assert.deepEqual(
    bucketStarts(at('2026-01-02T00:00:00Z'), at('2026-01-02T00:00:01Z'), 'day'),
    [at('2026-01-02T00:00:00Z')]);
});

test('A bucket in which nothing happened counts zero', () => {
  const starts = bucketStarts(at('2026-01-02T03:00:00Z'), at('2026-01-02T07:00:00Z'), 'hour');
  const groups = [
    {hour: '2026-01-02T03:00:00Z', count: 2, gate: 'policy'},
    {hour: '2026-01-02T06:00:00Z', count: 5, gate: 'policy'},
    {hour: '2026-01-02T06:00:00Z', count: 1, gate: 'governance'},
  ];
  assert.deepEqual(fill(groups, 'hour', starts), [2, 0, 0, 6]);
});

test('A period is halved between buckets', () => {
  const [since, until] = [at('2026-01-02T03:04:05Z'), at('2026-01-02T06:30:00Z')];
  const middle = at('2026-01-02T05:00:00Z');
  assert.deepEqual(halves(since, until, 'hour'), [[since, middle], [middle, until]]);
  assert.equal(halves(since, since + 1, 'hour'), null);
});

test('A code has its dialect in the key', () => {
  const group = {gate: 'policy', dialect: 'mcp', code: -1};
  assert.deepEqual([['gate'], ['code'], ['tool', 'gate']].map(by => keyOf(group, by)),
    ['["policy"]', '["mcp",-1]', '[null,"policy"]']);
});
