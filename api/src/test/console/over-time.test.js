import assert from 'node:assert/strict';
import test from 'node:test';
import {total} from '../../main/resources/gatebook/api/console/buckets.js';
import {countOverTime} from '../../main/resources/gatebook/api/console/over-time.js';

const MINUTE = 60_000;
const NOW = Date.parse('2026-01-02T12:00:00Z');
const SIZES = {minute: MINUTE, hour: 60 * MINUTE, day: 1_440 * MINUTE};

const iso = millis => new Date(millis).toISOString();

/** Denials in the last two days, the same in every run. */
function denials(count) {
  return Array.from({length: count}, (_, i) => ({
    at: NOW - ((i * 7_919_333) % (2 * SIZES.day)) - 1,
    gate: ['policy', 'governance', 'visibility'][i % 3],
    tool: i % 11 === 0 ? null : `tool-${i % 17}`,
    principal: `p-${i % 5}`,
    reason: `r-${i % 4}`,
    dialect: i % 2 ? 'mcp' : 'a2a',
    code: -32_000 - (i % 3),
    callId: `call-${i}`,
  }));
}

/** Counts as the node does: groups by the dimensions, the largest first, at most so many. */
function nodeWith(all, limit) {
  const asked = [];
  const ask = (by, {since, until}) => {
    asked.push(by);
    const found = all.filter(it => (!since || it.at >= Date.parse(since)) && (!until || it.at < Date.parse(until)));
    const groups = new Map();
    for (const it of found) {
      const members = Object.assign({}, ...by.map(name => (name === 'code'
        ? {dialect: it.dialect, code: it.code}
        : {[name]: SIZES[name] ? iso(Math.floor(it.at / SIZES[name]) * SIZES[name]) : it[name]})));
      const key = JSON.stringify(members);
      const group = groups.get(key) ?? {...members, count: 0, firstAt: iso(it.at), lastAt: ''};
      groups.set(key, {
        ...group,
        count: group.count + 1,
        firstAt: iso(it.at) < group.firstAt ? iso(it.at) : group.firstAt,
        lastAt: iso(it.at) > group.lastAt ? iso(it.at) : group.lastAt,
      });
    }
    const sorted = [...groups.values()].sort((a, b) => b.count - a.count);
    return Promise.resolve({total: found.length, groups: sorted.slice(0, limit), more: sorted.length > limit});
  };
  return {ask, asked};
}

async function count(all, limit, {by = 'tool', series = 'gate', from = iso(NOW - SIZES.day), to = null} = {}) {
  const {ask, asked} = nodeWith(all, limit);
  return {...await countOverTime(ask, {from, to, by, series, now: NOW}), asked};
}

function sums(groups, member) {
  return Object.fromEntries(groups.map(it => [it[member], it.count]).sort());
}

test('The numbers are those of the denials', async () => {
  const all = denials(5_000);
  const inPeriod = all.filter(it => it.at >= NOW - SIZES.day);
  const {groups, total: sum, starts, bucket, fine, more, chartMore, asked} = await count(all, 100_000);
  assert.deepEqual([sum, bucket, starts.length, more, chartMore, asked.length], [inPeriod.length, 'hour', 24, false, false, 2]);
  assert.equal(total(fine.map(it => it.count)), inPeriod.length);
  assert.deepEqual(sums(groups, 'tool'), Object.fromEntries(
    [...new Set(inPeriod.map(it => it.tool))].map(tool => [tool, inPeriod.filter(it => it.tool === tool).length]).sort()));
  assert.deepEqual(groups.map(it => total(it.counts)), groups.map(it => it.count));
});

test('They stay so when the node lists only some groups', async () => {
  const all = denials(5_000);
  const whole = await count(all, 100_000);
  const split = await count(all, 400);
  assert.deepEqual([split.more, split.chartMore, split.asked.length > 2], [false, false, true]);
  assert.deepEqual(sums(split.groups, 'tool'), sums(whole.groups, 'tool'));
  assert.deepEqual(split.groups.map(it => [it.tool, it.counts, it.lastAt, it.firstAt]), whole.groups.map(it => [it.tool, it.counts, it.lastAt, it.firstAt]));
});

test('Groups without a course are exact too', async () => {
  const all = denials(5_000);
  const whole = await count(all, 100_000);
  const coarse = await count(all, 80);
  assert.deepEqual([coarse.more, coarse.chartMore, coarse.groups[0].counts], [false, false, undefined]);
  assert.deepEqual(sums(coarse.groups, 'tool'), sums(whole.groups, 'tool'));
  assert.equal(coarse.total, whole.total);
  assert.equal(total(coarse.fine.map(it => it.count)), whole.total);
});

test('What is missing is said', async () => {
  const {more, chartMore} = await count(denials(5_000), 2);
  assert.deepEqual([more, chartMore], [true, true]);
});

test('Bars may be those of the groups', async () => {
  const {fine, groups, asked} = await count(denials(5_000), 100_000, {by: 'principal', series: null});
  assert.deepEqual(asked, [['principal'], ['principal', 'hour']]);
  assert.deepEqual(groups.map(it => [it.key, total(it.counts)]), groups.map(it => [JSON.stringify([it.principal]), it.count]));
  assert.equal(total(fine.map(it => it.count)), total(groups.map(it => it.count)));
});

test('Bars without series count all', async () => {
  const {fine, groups, chartMore} = await count(denials(5_000), 60, {by: 'tool', series: null});
  assert.deepEqual([chartMore, groups[0].counts, fine[0].tool], [false, undefined, undefined]);
  assert.equal(total(fine.map(it => it.count)), total(groups.map(it => it.count)));
});

test('A group in which nothing happened has a course', async () => {
  const {ask} = nodeWith(denials(10), 1_000);
  const withNone = async (by, span) => {
    const answer = await ask(by, span);
    return by.length > 1 ? answer : {...answer, groups: [...answer.groups, {gate: 'approval', count: 0, firstAt: null, lastAt: null}]};
  };
  const {groups, starts} = await countOverTime(withNone, {from: null, to: null, by: 'gate', series: 'gate', now: NOW});
  assert.deepEqual(groups.at(-1).counts, starts.map(() => 0));
});

test('All time begins with the first denial', async () => {
  const {starts, bucket, total: sum} = await count(denials(5_000), 100_000, {from: null});
  assert.deepEqual([iso(starts[0]), iso(starts.at(-1)), bucket, sum], ['2025-12-31T12:00:00.000Z', '2026-01-02T11:00:00.000Z', 'hour', 5_000]);
  const fresh = await count(denials(5_000).filter(it => it.at >= NOW - 50 * MINUTE), 100_000, {from: null});
  assert.deepEqual([iso(fresh.starts[0]), fresh.bucket], ['2026-01-02T11:10:00.000Z', 'minute']);
  const none = await count([], 10, {from: null});
  assert.deepEqual([none.starts.length, none.total], [1, 0]);
});

test('A node whose clock is ahead is counted whole', async () => {
  const ahead = [{...denials(1)[0], at: NOW + 2 * SIZES.hour}];
  const {starts, groups} = await count(ahead, 10, {from: iso(NOW - SIZES.day)});
  assert.equal(iso(starts.at(-1)), '2026-01-02T14:00:00.000Z');
  assert.deepEqual(groups[0].counts.at(-1), 1);
});
