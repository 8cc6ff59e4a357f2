import assert from 'node:assert/strict';
import test from 'node:test';
import {scale, spans, sums, ticks} from '../../main/resources/gatebook/api/console/timeline.js';

function event(position, name, spent, data = {}) {
  return {position, name: `gatebook.${name}`, spent, data};
}

const HELD = [
  event(1, 'CallReceived', []),
  event(2, 'ApprovalRequested', [{on: 'gate', gate: 'visibility', micros: 10}, {on: 'gate', gate: 'governance', micros: 20}, {on: 'node', micros: 70}]),
  event(3, 'ApprovalGranted', [{on: 'person', micros: 900_000}]),
  event(4, 'CallForwarded', [{on: 'node', micros: 100}], {attempt: 1, source: 'demo'}),
  event(5, 'CallForwarded', [{on: 'upstream', micros: 300}], {attempt: 2, source: 'demo'}),
  event(6, 'CallAnswered', [{on: 'node', micros: 100}, {on: 'upstream', micros: 400}]),
];

test('A call has a span for each part', () => {
  assert.deepEqual(spans(HELD).map(span => [span.label, span.from, span.micros, span.position]), [
    ['gate visibility', 0, 10, 2],
    ['gate governance', 10, 20, 2],
    ['reading, recording', 30, 70, 2],
    ['waiting for a person', 100, 900_000, 3],
    ['recording', 900_100, 100, 4],
    ['upstream demo, attempt 1', 900_200, 300, 5],
    ['recording, then sending', 900_500, 100, 6],
    ['upstream demo, attempt 2', 900_600, 400, 6],
  ]);
  assert.deepEqual(sums(spans(HELD)), {gate: 30, node: 270, person: 900_000, upstream: 700});
});

test('A scale draws each microsecond alike', () => {
  const {total, at} = scale(spans(HELD), false);
  assert.equal(total, 901_000);
  assert.equal(at(0), 0);
  assert.equal(at(450_500), 0.5);
  assert.equal(at(901_000), 1);
});

test('A scale without waits draws the rest alike', () => {
  const {at} = scale(spans(HELD), true);
  const round = share => Math.round(share * 1e9) / 1e9;
  assert.equal(round(at(901_000)), 1);
  assert.equal(round(at(900_100) - at(100)), 0.06);
  assert.equal(round(at(100)), 0.094);
  assert.equal(round(at(900_500) - at(900_200)), round(3 * at(100)));
});

test('A call that took no time has a scale', () => {
  assert.equal(scale([], false).at(0), 0);
  assert.equal(scale(spans([event(1, 'CallReceived', [{on: 'person', micros: 0}])]), true).at(0), 0);
  assert.deepEqual(ticks(0), []);
});

test('The marks of an axis are round', () => {
  assert.deepEqual(ticks(901_000), [200_000, 400_000, 600_000, 800_000]);
  assert.deepEqual(ticks(4), [1, 2, 3]);
});
