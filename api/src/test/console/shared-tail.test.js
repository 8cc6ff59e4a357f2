import assert from 'node:assert/strict';
import test from 'node:test';
import {SharedTail} from '../../main/resources/gatebook/api/console/shared-tail.js';

/** A node that has a journal and streams it as the tail does. */
class FakeNode {
  events = [];
  connections = [];
  requests = [];
  isDown = false;
  status = 200;

  append(name, callId, data = {}) {
    const position = this.events.length + 1;
    this.events.push({position, name, at: '2026-01-02T03:04:05Z', node: 'n', ...(callId ? {callId} : {}), data});
    this.connections.forEach(it => it.send());
    return position;
  }

  fetch(address, {signal}) {
    this.requests.push(address);
    if (this.isDown) {
      return Promise.reject(new TypeError('refused'));
    }
    if (this.status !== 200) {
      return Promise.resolve(new Response('no', {status: this.status}));
    }
    const acted = this.append('OperatorActed');
    const query = new URL(address, 'http://node').searchParams;
    const names = query.getAll('name');
    const after = query.get('after');
    let position = after === null ? acted : Number(after);
    const encoder = new TextEncoder();
    const body = new ReadableStream({
      start: controller => {
        const connection = {
          send: () => {
            for (const event of this.events.slice(position)) {
              position = event.position;
              if (names.length === 0 || names.includes(event.name)) {
                controller.enqueue(encoder.encode(`id: ${position}\nevent: ${event.name}\ndata: ${JSON.stringify(event)}\n\n`));
              }
            }
          },
          end: how => {
            this.connections = this.connections.filter(it => it !== connection);
            how(controller);
          },
        };
        this.connections.push(connection);
        signal.addEventListener('abort', () => connection.end(it => it.error(signal.reason)));
        controller.enqueue(encoder.encode(`: following\nid: ${position}\n\n`));
        connection.send();
      },
    });
    return Promise.resolve(new Response(body));
  }

  loseConnections() {
    this.connections.forEach(it => it.end(controller => controller.error(new TypeError('lost'))));
  }
}

/** A page: what it received, and a promise for the moment when a condition holds. */
class FakePage {
  received = [];
  counted = 0;
  meanwhile = 0;
  states = [];
  #waiting = [];

  constructor(tail) {
    const port = {postMessage: message => this.#take(message)};
    tail.attach(port);
    this.send = message => port.onmessage({data: message});
  }

  #take({type, ...message}) {
    if (type === 'state') {
      this.states.push(message.state.state);
    } else {
      this.received.push(...message.events.map(it => it.callId), ...(message.calls ?? []));
      this.counted += message.counted;
      this.meanwhile += message.meanwhile;
    }
    this.#waiting = this.#waiting.filter(({condition, resolve}) => !condition() || resolve());
  }

  until(condition) {
    return condition() ? Promise.resolve() : new Promise(resolve => this.#waiting.push({condition, resolve}));
  }

  isIn(state) {
    return this.states.at(-1) === state;
  }
}

async function following(names, more = {}) {
  const node = new FakeNode();
  globalThis.fetch = (...request) => node.fetch(...request);
  const tail = new SharedTail();
  const page = new FakePage(tail);
  page.send({type: 'follow', key: 1, names, ...more});
  await page.until(() => page.isIn('live'));
  return {node, tail, page};
}

test('Nothing is missed when the connection is lost', async t => {
  const {node, page} = await following(['X']);
  t.after(() => page.send({type: 'bye'}));
  node.append('X', 'a');
  node.append('Y', 'other');
  const last = node.append('X', 'b');
  await page.until(() => page.counted === 2);
  node.isDown = true;
  node.loseConnections();
  node.append('X', 'c');
  await page.until(() => page.isIn('waiting'));
  node.append('X', 'd');
  node.isDown = false;
  await page.until(() => page.isIn('live'));
  node.append('X', 'e');
  await page.until(() => page.counted === 5);
  assert.deepEqual(page.received, ['a', 'b', 'c', 'd', 'e']);
  assert.deepEqual([...new Set(node.requests)], ['/operator/tail?name=X', `/operator/tail?name=X&after=${last}`]);
});

test('What came during a pause is shown afterwards', async t => {
  const {node, page} = await following(['X']);
  t.after(() => page.send({type: 'bye'}));
  node.append('X', 'a');
  await page.until(() => page.counted === 1);
  page.send({type: 'pause', key: 1});
  node.append('X', 'b');
  node.append('X', 'c');
  await page.until(() => page.meanwhile === 2);
  assert.deepEqual(page.received, ['a']);
  page.send({type: 'resume', key: 1});
  await page.until(() => page.counted === 3 && page.isIn('live'));
  node.append('X', 'd');
  await page.until(() => page.counted === 4);
  assert.deepEqual(page.received, ['a', 'b', 'c', 'd']);
});

test('All pages share one connection', async t => {
  const {node, tail, page} = await following(['X']);
  const other = new FakePage(tail);
  t.after(() => [page, other].forEach(it => it.send({type: 'bye'})));
  const last = node.append('X', 'a');
  await page.until(() => page.counted === 1);
  other.send({type: 'follow', key: 1, names: ['Y']});
  await other.until(() => other.isIn('live'));
  assert.equal(node.connections.length, 1);
  node.append('X', 'b');
  node.append('Y', 'c');
  await Promise.all([page.until(() => page.counted === 2), other.until(() => other.counted === 1)]);
  assert.deepEqual([page.received, other.received], [['a', 'b'], ['c']]);
  assert.equal(node.requests.at(-1), `/operator/tail?name=X&name=Y&after=${last}`);
});

test('A page goes on after a position', async t => {
  const node = new FakeNode();
  globalThis.fetch = (...request) => node.fetch(...request);
  const after = node.append('X', 'a');
  ['Y', 'X', 'X'].forEach((name, index) => node.append(name, 'bcd'[index]));
  const page = new FakePage(new SharedTail());
  t.after(() => page.send({type: 'bye'}));
  page.send({type: 'follow', key: 1, names: ['X'], after});
  await page.until(() => page.counted === 2 && page.isIn('live'));
  node.append('X', 'e');
  await page.until(() => page.counted === 3);
  assert.deepEqual(page.received, ['c', 'd', 'e']);
});

test('A catch-up ends although nothing more happens', async t => {
  const {node, tail, page} = await following(['X']);
  const other = new FakePage(tail);
  t.after(() => [page, other].forEach(it => it.send({type: 'bye'})));
  const after = node.append('X', 'a');
  node.append('Y', 'b');
  other.send({type: 'follow', key: 1, names: ['X', 'Y'], after});
  await other.until(() => other.isIn('live') && other.counted === 1);
  assert.deepEqual(other.received, ['b']);
});

test('Calls are joined, filtered and counted', async t => {
  const names = ['CallReceived', 'GateDenied', 'ErrorTranslated'];
  const {node, page} = await following(names, {calls: true, filters: {tool: 'transfer'}});
  t.after(() => page.send({type: 'bye'}));
  for (const [callId, target] of [['a', 'transfer'], ['b', 'echo']]) {
    node.append('CallReceived', callId, {target, rpcId: '1', principal: {name: 'alice'}});
    node.append('GateDenied', callId, {rulings: [{gate: 'policy', verdict: {kind: 'deny', reason: 'policy-forbids'}}]});
    node.append('ErrorTranslated', callId, {fault: {kind: 'PolicyDenied'}, told: {dialect: 'mcp', code: -32_003}});
  }
  await page.until(() => page.counted === 3);
  const {callId, target, status, gate, reason} = page.received.at(-1);
  assert.deepEqual({callId, target, status, gate, reason},
    {callId: 'a', target: 'transfer', status: 'denied', gate: 'policy', reason: 'policy-forbids'});
});

test('All events are counted and few are handed out', async t => {
  const {node, page} = await following(['X']);
  t.after(() => page.send({type: 'bye'}));
  for (let i = 0; i < 5_000; i++) {
    node.append('X', `call-${i}`);
  }
  await page.until(() => page.counted === 5_000);
  assert.equal(page.received.length <= 1_000, true);
});

test('An ended session ends the connection', async t => {
  const {node, page} = await following(['X']);
  t.after(() => page.send({type: 'bye'}));
  node.status = 401;
  node.loseConnections();
  await page.until(() => page.isIn('signed-out'));
  node.status = 200;
  page.send({type: 'follow', key: 2, names: ['X']});
  await page.until(() => page.isIn('live'));
  assert.equal(node.connections.length, 1);
});
