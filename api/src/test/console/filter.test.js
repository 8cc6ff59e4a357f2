import assert from 'node:assert/strict';
import test from 'node:test';
import {fromQuery, instant, parse, toParams, toText} from '../../main/resources/gatebook/api/console/filter.js';

const CALL = '0199a1b2-0001-7000-8000-000000000001';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const NOW = Date.parse('2026-01-02T03:04:05.678Z');

function id(text) {
  return parse(text).id;
}

test('An id is found as it was pasted', () => {
  for (const text of [CALL, ` ${CALL}\n`, `"${CALL}"`, `'${CALL}',`, `\`${CALL}\`.`, `(${CALL})`, CALL.toUpperCase(),
    `\ufeff${CALL}\u200b`, `\u201c${CALL}\u201d`, `<${CALL}>;`, `please look at ${CALL}, it was refused`]) {
    assert.equal(id(text), CALL, text);
  }
});

test('A correlation id may be any word', () => {
  for (const text of ['last-tuesday', ' last-tuesday ', '"last-tuesday"', 'last-tuesday.', '«last-tuesday»', ' "last-tuesday" , ']) {
    assert.deepEqual(parse(text), {id: 'last-tuesday', filters: {}, unknown: []}, text);
  }
  assert.equal(id('order:7'), 'order:7');
  assert.equal(id('a.b_c:d-e'), 'a.b_c:d-e');
});

test('A line of the log is searched for its call', () => {
  assert.equal(id(`{"timestamp":"2026-01-02T03:04:05Z","level":"WARN","correlation_id":"order-7","call_id":"${CALL}","code":-32003}`), CALL);
  assert.equal(id('2026-01-02 03:04:05 WARN denied correlation_id=order-7 gate=policy'), 'order-7');
  assert.equal(id('{\\"correlation_id\\":\\"order-7\\"}'), 'order-7');
});

test('A response and its header are searched for the correlation id', () => {
  assert.equal(id('{"jsonrpc":"2.0","id":4,"error":{"code":-32003,"message":"no","data":{"correlation_id":"last-tuesday","gate":"policy"}}}'), 'last-tuesday');
  assert.equal(id('X-Correlation-Id: last-tuesday'), 'last-tuesday');
  assert.equal(id('"correlationId": "last-tuesday"'), 'last-tuesday');
  assert.equal(id('Correlation id: last-tuesday'), 'last-tuesday');
});

test('A traceparent is searched for its trace id', () => {
  assert.equal(id(`00-${TRACE}-00f067aa0ba902b7-01`), TRACE);
  assert.equal(id(`traceparent: 00-${TRACE}-00f067aa0ba902b7-01`), TRACE);
  assert.equal(id(TRACE), TRACE);
});

test('A hash is no trace id', () => {
  const hash = `sha256:${TRACE}${TRACE}`;
  assert.deepEqual(parse(hash), {id: hash, filters: {}, unknown: []});
});

test('Words are filters', () => {
  assert.deepEqual(parse('status:denied gate:policy tool:transfer principal:"a b" dialect:mcp code:-32003 fault:PolicyDenied method:tools/call since:2h until:1h'), {
    filters: {status: 'denied', gate: 'policy', tool: 'transfer', principal: 'a b', dialect: 'mcp', code: '-32003',
      fault: 'PolicyDenied', method: 'tools/call', since: '2h', until: '1h'},
    unknown: [],
  });
});

test('Other names for filters are understood', () => {
  assert.deepEqual(parse('TARGET:echo by:alice from:1h to:5m').filters, {tool: 'echo', principal: 'alice', since: '1h', until: '5m'});
});

test('A status alone is a filter unless it is quoted', () => {
  assert.deepEqual(parse('denied tool:echo'), {filters: {status: 'denied', tool: 'echo'}, unknown: []});
  assert.equal(id('"denied"'), 'denied');
  assert.equal(id('id:denied'), 'denied');
});

test('A value may have colons and quotes', () => {
  assert.deepEqual(parse('tool:a:b principal:"say \\"hi\\" \\\\"').filters, {tool: 'a:b', principal: 'say "hi" \\'});
});

test('What is not understood is told', () => {
  assert.deepEqual(parse('status:lost code:many since:yesterday tool:'), {
    filters: {}, unknown: ['status:lost', 'code:many', 'since:yesterday', 'tool:'],
  });
  assert.deepEqual(parse('why was it refused'), {filters: {}, unknown: ['why', 'was', 'it', 'refused']});
});

test('An id stands beside filters', () => {
  assert.deepEqual(parse(`status:denied ${CALL}`), {id: CALL, filters: {status: 'denied'}, unknown: []});
});

test('Nothing is no filter', () => {
  for (const text of ['', '   ', null, undefined, '\u200b']) {
    assert.deepEqual(parse(text), {filters: {}, unknown: []});
  }
});

test('Filters are written as they are read', () => {
  const filters = {status: 'denied', tool: 'a "b"\\ c', principal: 'x:y', since: '2026-01-02T03:04:05Z'};
  assert.equal(toText(filters), 'status:denied tool:"a \\"b\\"\\\\ c" principal:x:y since:2026-01-02T03:04:05Z');
  assert.deepEqual(parse(toText(filters)).filters, filters);
});

test('An address has only filters that exist', () => {
  assert.deepEqual(fromQuery({status: 'denied', tool: 'x', gate: 'moon', code: 'many', other: '1', since: '2h'}),
    {status: 'denied', tool: 'x', since: '2h'});
});

test('Filters become the params of the method', () => {
  assert.deepEqual(toParams({status: 'denied', tool: 'transfer', code: '-32003', since: '2h', until: ''}, NOW),
    {status: 'denied', target: 'transfer', code: -32003, since: '2026-01-02T01:04:05.678Z'});
});

test('A time is how long ago, or a date', () => {
  assert.equal(instant('90s', NOW), '2026-01-02T03:02:35.678Z');
  assert.equal(instant('1w', NOW), '2025-12-26T03:04:05.678Z');
  assert.equal(instant('2026-01-02T03:04:05Z', NOW), '2026-01-02T03:04:05.000Z');
  assert.equal(instant('2026-01-02T03:04:05.000000006Z', NOW), '2026-01-02T03:04:05.000000006Z');
  assert.equal(instant('2026-01-02T03:04:05+01:00', NOW), '2026-01-02T02:04:05.000Z');
  assert.equal(instant('2026-01-02', NOW), new Date(2026, 0, 2).toISOString());
  assert.equal(instant('2026-01-02 14:30', NOW), new Date(2026, 0, 2, 14, 30).toISOString());
  for (const text of ['', 'soon', '2 h', '123456s', '2026-13-02', '2026-1-2', '14:30', '1y']) {
    assert.equal(instant(text, NOW), null, text);
  }
});

test('A long text is read at once', () => {
  const begin = performance.now();
  parse('a:'.repeat(10_000));
  parse('"'.repeat(20_000));
  parse(`${'0'.repeat(20_000)} call_id`);
  assert.ok(performance.now() - begin < 5_000);
});
