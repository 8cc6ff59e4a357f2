import assert from 'node:assert/strict';
import test from 'node:test';
import {bucketFor, bucketStarts, fill, halves, isIn, isLater, rollUp, trend} from '../../main/resources/gatebook/api/console/buckets.js';

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

test('Groups add up to coarser ones', () => {
  const groups = [
    {gate: 'policy', tool: 'a', dialect: 'mcp', code: -1, count: 2, lastAt: '2026-01-02T03:00:00.5Z', lastCallId: '1'},
    {gate: 'policy', tool: 'b', dialect: 'mcp', code: -1, count: 3, lastAt: '2026-01-02T03:00:00.123456789Z', lastCallId: '2'},
    {gate: 'policy', tool: 'b', dialect: 'a2a', code: -1, count: 9, lastAt: '2026-01-02T02:00:00Z', lastCallId: '3'},
  ];
  const brief = ({parts, key, ...group}) => group;
  assert.deepEqual(rollUp(groups, ['gate']).map(brief),
    [{gate: 'policy', count: 14, lastAt: '2026-01-02T03:00:00.5Z', lastCallId: '1'}]);
  assert.deepEqual(rollUp(groups, ['code']).map(brief), [
    {dialect: 'a2a', code: -1, count: 9, lastAt: '2026-01-02T02:00:00Z', lastCallId: '3'},
    {dialect: 'mcp', code: -1, count: 5, lastAt: '2026-01-02T03:00:00.5Z', lastCallId: '1'},
  ]);
});

test('Times of any number of digits are compared', () => {
  assert.equal(isLater('2026-01-02T03:00:00.100000001Z', '2026-01-02T03:00:00.1Z'), true);
  assert.equal(isLater('2026-01-02T03:00:00Z', '2026-01-02T03:00:00.1Z'), false);
  assert.equal(isLater(null, '2026-01-02T03:00:00Z'), false);
  assert.equal(isLater('2026-01-02T03:00:00Z', null), true);
});

test('A filter compares values as texts', () => {
  const group = {code: -32_003, tool: null, gate: 'policy'};
  assert.equal(isIn(group, {code: '-32003', gate: 'policy'}), true);
  assert.equal(isIn(group, {tool: 'x'}), false);
  assert.equal(isIn(group, {tool: null}), true);
  assert.equal(isIn(group, {gate: null}), false);
  assert.equal(isIn(group, {}), true);
});

test('A period is halved between buckets', () => {
  const [since, until] = [at('2026-01-02T03:04:05Z'), at('2026-01-02T06:30:00Z')];
  const middle = at('2026-01-02T05:00:00Z');
  assert.deepEqual(halves(since, until, 'hour'), [[since, middle], [middle, until]]);
  assert.equal(halves(since, since + 1, 'hour'), null);
});

test('A trend follows the rule of the node', () => {
  assert.equal(trend([0, 0, 0, 7], HOUR), 'new');
  assert.equal(trend([1, 0, 0, 7], HOUR), 'unclear');
  assert.equal(trend([10, 10, 40, 40], HOUR), 'rising');
  assert.equal(trend([40, 40, 10, 10], HOUR), 'falling');
  assert.equal(trend([40, 40, 42, 40], HOUR), 'steady');
  assert.equal(trend([9, 0, 0, 0, 0, 40], 1_000), 'unclear');
  assert.equal(trend([90, 3, 20, 20, 20, 20, 20], HOUR), 'steady'); // the middle one of seven is in no half
});
