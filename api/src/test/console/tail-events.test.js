import assert from 'node:assert/strict';
import test from 'node:test';
import {SseParser} from '../../main/resources/gatebook/api/console/sse.js';
import {CallJoin, Sample, backoffMillis, briefEvent, callIdOf, hash, matches} from '../../main/resources/gatebook/api/console/tail-events.js';

const CALL = '0192aaaa-0000-7000-8000-00000000abcd';

function read(...chunks) {
  const seen = [];
  const parser = new SseParser({onEvent: it => seen.push(it), onPosition: id => seen.push(id)});
  chunks.forEach(it => parser.push(it));
  return seen;
}

test('Events are read however the stream is cut', () => {
  const stream = ': following\nid: 6\n\nid: 7\nevent: GateDenied\ndata: {"a":"b\\nc"}\n\n: keep-alive\nid: 9\n\nid: 10\r\nevent: X\r\ndata:1\r\ndata: 2\r\n\r\n';
  const expected = [
    '6',
    {id: '7', name: 'GateDenied', data: '{"a":"b\\nc"}'},
    '9',
    {id: '10', name: 'X', data: '1\n2'},
  ];
  for (let cut = 0; cut <= stream.length; cut++) {
    assert.deepEqual(read(stream.slice(0, cut), stream.slice(cut)), expected);
  }
  assert.deepEqual(read(...stream), expected);
});

test('An unfinished block is no event', () => {
  assert.deepEqual(read('id: 7\nevent: X\ndata: 1\n'), []);
});

test('A line without end is refused', () => {
  const parser = new SseParser({onEvent: () => {}, lineCharsMax: 10});
  assert.throws(() => parser.push('data: 123456789'), RangeError);
});

function event(name, data, position = 1) {
  return JSON.stringify({position, name, at: '2026-01-02T03:04:05Z', node: 'n', callId: CALL, data});
}

test('The call of an event is read without parsing it', () => {
  assert.equal(callIdOf(event('CallReceived', {})), CALL);
  assert.equal(callIdOf('{"position":1,"name":"X","at":"","node":"\\"callId\\":\\"no","data":{"callId":"inner"}}'), null);
});

test('A short event has no contents', () => {
  assert.deepEqual(briefEvent(event('CallReceived', {
    correlationId: 'x'.repeat(500),
    principal: {name: 'alice', roles: ['dev']},
    arguments: {redacted: {a: 1}},
    target: '<script>alert(1)</script>',
  })), {
    position: 1,
    name: 'CallReceived',
    at: '2026-01-02T03:04:05Z',
    node: 'n',
    callId: CALL,
    data: {correlationId: `${'x'.repeat(240)}…`, principal: 'alice', target: '<script>alert(1)</script>'},
  });
});

function callAfter(...events) {
  const join = new CallJoin();
  return events.map(([name, data], index) => ({...join.apply(briefEvent(event(name, data, index + 1)))})).at(-1);
}

const RECEIVED = ['CallReceived', {
  correlationId: 'order-7', dialect: 'mcp', method: 'tools/call', rpcId: '1', principal: {name: 'alice'}, target: 'transfer', receivedAt: '2026-01-02T03:04:04Z',
}];

test('A denied call is joined from its events', () => {
  assert.deepEqual(callAfter(
    RECEIVED,
    ['GateDenied', {target: 'transfer', principal: 'alice', rulings: [
      {gate: 'visibility', verdict: {kind: 'pass'}},
      {gate: 'policy', verdict: {kind: 'deny', reason: 'policy-forbids', detail: 'secret'}},
    ]}],
    ['ErrorTranslated', {target: 'transfer', fault: {kind: 'PolicyDenied'}, told: {dialect: 'mcp', code: -32_003, message: 'no'}, totalMillis: 4}]), {
    callId: CALL,
    correlationId: 'order-7',
    dialect: 'mcp',
    method: 'tools/call',
    target: 'transfer',
    principal: 'alice',
    status: 'denied',
    gate: 'policy',
    reason: 'policy-forbids',
    code: -32_003,
    fault: 'PolicyDenied',
    receivedAt: '2026-01-02T03:04:04Z',
    durationMillis: 4,
    wantsAnswer: true,
    ended: true,
    last: 'ErrorTranslated',
    at: '2026-01-02T03:04:05Z',
    position: 3,
  });
});

test('A call has the status that the node gives it', () => {
  const told = {dialect: 'mcp', code: 1};
  const statuses = [
    ['received', [RECEIVED]],
    ['received', [RECEIVED, ['CallAdmitted', {rulings: []}]]],
    ['held', [RECEIVED, ['ApprovalRequested', {rulings: []}]]],
    ['forwarded', [RECEIVED, ['CallForwarded', {}]]],
    ['answered', [RECEIVED, ['CallForwarded', {}], ['CallAnswered', {totalMillis: 1}]]],
    ['failed', [RECEIVED, ['ErrorTranslated', {fault: {kind: 'UpstreamTimeout'}, told}]]],
    ['denied', [RECEIVED, ['ErrorTranslated', {fault: {kind: 'ApprovalTimeout'}, told}]]],
    ['refused', [RECEIVED, ['ErrorTranslated', {fault: {kind: 'RateLimited', limit: 'rate'}, told}]]],
    ['refused', [RECEIVED, ['ErrorTranslated', {fault: {kind: 'RateLimited', limit: 'budget'}, told}]]],
    ['failed', [RECEIVED, ['ErrorTranslated', {fault: {kind: 'RateLimited', limit: 'held-calls'}, told}]]],
    ['abandoned', [RECEIVED, ['CallAbandoned', {}]]],
    ['orphaned', [RECEIVED, ['CallOrphaned', {}]]],
  ];
  for (const [status, events] of statuses) {
    assert.equal(callAfter(...events).status, status);
  }
  assert.equal(callAfter(['MessageRefused', {fault: {kind: 'ParseError'}, told}]).status, 'refused');
  assert.equal(callAfter(['CallReceived', {method: 'x'}], ['CallAdmitted', {}]).status, 'answered');
});

test('Calls that never end are forgotten', () => {
  const join = new CallJoin({openMax: 2});
  const apply = (callId, name, data) => join.apply({callId, name, at: '', position: 1, data});
  apply('a', 'CallReceived', {target: 'one'});
  apply('b', 'CallReceived', {target: 'two'});
  apply('c', 'CallReceived', {target: 'three'});
  assert.equal(apply('a', 'GateDenied', {}).target, null);
  assert.equal(apply('c', 'GateDenied', {}).target, 'three');
});

test('A call matches all words of a filter', () => {
  const call = callAfter(RECEIVED, ['ErrorTranslated', {fault: {kind: 'PolicyDenied'}, told: {dialect: 'mcp', code: -32_003}}]);
  assert.equal(matches(call, {status: 'denied', tool: 'transfer', code: '-32003', since: '2h'}), true);
  assert.equal(matches(call, {status: 'denied', tool: 'echo'}), false);
  assert.equal(matches(call, {id: 'order-7'}), true);
  assert.equal(matches(call, {id: 'order-8'}), false);
});

test('A sample keeps the same calls again', () => {
  const ids = Array.from({length: 2_000}, (_, i) => `call-${i}`);
  const sampleOf = () => {
    const sample = new Sample({max: 200});
    ids.forEach(id => sample.take(id, id));
    return sample.empty();
  };
  const [one, other] = [sampleOf(), sampleOf()];
  assert.deepEqual([one.items.length, one.sampled], [200, true]);
  assert.deepEqual(one, other);
  assert.deepEqual(one.items, ids.filter(id => one.items.includes(id)));
});

test('A sample leaves out nothing that fits', () => {
  const sample = new Sample({max: 3, latest: true});
  sample.take('a', 1);
  sample.take('b', 2);
  sample.take('a', 3);
  sample.take('c', 4);
  assert.deepEqual(sample.empty(), {items: [3, 2, 4], sampled: false});
  assert.deepEqual(sample.empty(), {items: [], sampled: false});
});

test('A sample never leaves out what is rare', () => {
  const sample = new Sample({max: 2});
  for (let i = 0; i < 1_000; i++) {
    sample.take(`call-${i}`, i);
    if (i === 500) {
      sample.take('rare', 'approval', -1);
    }
  }
  assert.equal(sample.empty().items.includes('approval'), true);
});

test('Hashes of similar ids are spread', () => {
  const low = Array.from({length: 10_000}, (_, i) => hash(`0192aaaa-0000-7000-8000-${String(i).padStart(12, '0')}`)).filter(it => it < 2 ** 31);
  assert.equal(Math.abs(low.length - 5_000) < 250, true);
});

test('The waits between attempts grow to ten seconds', () => {
  assert.deepEqual([0, 1, 2, 3, 4, 50].map(it => backoffMillis(it, 1)), [1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  assert.deepEqual([0, 50].map(it => backoffMillis(it, 0)), [500, 500]);
});
