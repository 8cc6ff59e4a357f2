import assert from 'node:assert/strict';
import {createHash, generateKeyPairSync, sign} from 'node:crypto';
import test from 'node:test';
import {fromBase64, fromHex, hex, isSigned, leafHash, readCheckpoint, readEnvelope, readKey, readNote, rootOf, verify} from '../../main/resources/gatebook/api/console/proof.js';

// The vectors of events/decisions/0001-envelope-and-tree.md.
const VECTORS = [
  {position: 1n, id: '0199a1b2-0001-7000-8000-000000000001', name: 'gatebook.CallReceived', version: '1.0.0',
    at: '2026-01-02T03:04:05.000000000Z', node: 'node-1', tags: 'call:0199a1b2-0000-7000-8000-000000000001',
    payload: '{"method":"tools/call"}', metadata: '{}',
    leaf: '82963d6a0e6544e346b5e13255e16cfae9874dc728d3190b3be2c48a7a9cba30'},
  {position: 2n, id: '0199a1b2-0002-7000-8000-000000000002', name: 'gatebook.GateDenied', version: '1.0.0',
    at: '2026-01-02T03:04:05.000000001Z', node: 'Zürich-契約-🗝', tags: 'approval:ja\ncall:nein',
    payload: '{"rule":"délete_*"}', metadata: '{"trace":"→"}',
    leaf: 'f91c692c758f8cbb8f76be4064ef5ff43f0a76d1ea65bcb3772e68996a1fe715'},
  {position: 4294967296n, id: '0199a1b2-0003-7000-8000-000000000003', name: 'gatebook.OperatorActed', version: '2.1.0',
    at: '2026-12-31T23:59:59.999999999Z', node: '', tags: '', payload: '', metadata: '',
    leaf: '168e2f02e111130a71685fffcfba0d1ab1a8163e3481eb223b8d0efc5de7fe43'},
];
const ROOT_OF_VECTORS = '74b3305f38266ffd81e17e6ad7244f1064dad652001c30f8b77428296d41f9d7';
const MISSING_3 = '38673aeafa1170143b172e22f2966461de127bee8c377213f8a93b75bbf90ee1';

// Published with Go's note package and with the C2SP specifications.
const NEUMANN = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const NOTE = 'If you think cryptography is the answer to your problem,\nthen you don\'t know what your problem is.\n\n'
  + '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
const CHECKPOINT = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';

function sha256(...parts) {
  const hash = createHash('sha256');
  parts.forEach(part => hash.update(Array.isArray(part) ? Uint8Array.from(part) : part));
  return hash.digest();
}

function envelopeOf(columns) {
  const position = Buffer.alloc(8);
  position.writeBigUInt64BE(columns.position);
  const texts = ['id', 'name', 'version', 'at', 'node', 'tags'].flatMap(name => {
    const text = Buffer.from(columns[name]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    return [length, text];
  });
  return new Uint8Array(Buffer.concat([Buffer.from('gatebook/1\n'), position, ...texts, sha256(columns.payload), sha256(columns.metadata)]));
}

/** The root of a list of leaves by the definition of RFC 6962, section 2.1. */
function treeHash(leaves) {
  if (leaves.length === 1) {
    return leaves[0];
  }
  const k = split(leaves.length);
  return sha256([1], treeHash(leaves.slice(0, k)), treeHash(leaves.slice(k)));
}

/** The path of a leaf by the definition of RFC 6962, section 2.1.1. */
function pathOf(m, leaves) {
  if (leaves.length === 1) {
    return [];
  }
  const k = split(leaves.length);
  return m < k
    ? [...pathOf(m, leaves.slice(0, k)), treeHash(leaves.slice(k))]
    : [...pathOf(m - k, leaves.slice(k)), treeHash(leaves.slice(0, k))];
}

function split(n) {
  let k = 1;
  while (k * 2 < n) {
    k *= 2;
  }
  return k;
}

function leavesOf(size) {
  return Array.from({length: size}, (_, i) => sha256([0], `leaf ${i}`));
}

/** A key as the journal has one, with what it signs. */
function keyNamed(name) {
  const {publicKey, privateKey} = generateKeyPairSync('ed25519');
  const typed = Buffer.concat([Buffer.from([1]), publicKey.export({format: 'der', type: 'spki'}).subarray(-32)]);
  const id = sha256(`${name}\n`, typed).subarray(0, 4);
  return {
    text: `${name}+${id.toString('hex')}+${typed.toString('base64')}`,
    note: text => `${text}\n— ${name} ${Buffer.concat([id, sign(null, Buffer.from(text), privateKey)]).toString('base64')}\n`,
  };
}

/** What `audit.proof` answers for the two first vectors in a journal of five events. */
function answer() {
  const key = keyNamed('log.example');
  const envelopes = VECTORS.slice(0, 2).map(envelopeOf);
  const leaves = [...envelopes.map(it => sha256([0], it)), ...leavesOf(3)];
  return {
    checkpoint: {text: key.note(`log.example\n5\n${treeHash(leaves).toString('base64')}\n`), size: 5, at: '2026-01-02T03:05:00Z'},
    key: key.text,
    events: envelopes.map((envelope, i) => ({
      position: i + 1,
      name: VECTORS[i].name,
      leafHash: hex(leaves[i]),
      covered: true,
      envelope: Buffer.from(envelope).toString('base64'),
      path: pathOf(i, leaves).map(hex),
    })),
  };
}

const SHOWN = new Map(VECTORS.slice(0, 2).map(({position, name, version, at, node}) => [Number(position), {name, version, at, node}]));

function statesOf(result) {
  return result.events.map(event => [event.state, event.why ?? null]);
}

test('The leaf of an envelope is the decided one', async () => {
  for (const vector of VECTORS) {
    assert.equal(hex(await leafHash(envelopeOf(vector))), vector.leaf);
  }
  const missing = Buffer.concat([Buffer.from('gatebook/missing/'), Buffer.from([0, 0, 0, 0, 0, 0, 0, 3])]);
  assert.equal(hex(await leafHash(missing)), MISSING_3);
});

test('An envelope is read back', () => {
  for (const vector of VECTORS) {
    const {position, id, name, version, at, node, tags, payload, metadata} = vector;
    assert.deepEqual(readEnvelope(envelopeOf(vector)), {
      isMissing: false, position: Number(position), id, name, version, at, node, tags,
      payload: sha256(payload).toString('hex'), metadata: sha256(metadata).toString('hex'),
    });
  }
});

test('An envelope that is cut or longer is not read', () => {
  const whole = envelopeOf(VECTORS[0]);
  for (let length = 0; length < whole.length; length++) {
    assert.equal(readEnvelope(whole.subarray(0, length)), null);
  }
  assert.equal(readEnvelope(new Uint8Array([...whole, 0])), null);
});

test('The three decided leaves lead to their root', async () => {
  const leaves = VECTORS.map(it => fromHex(it.leaf));
  for (let i = 0; i < 3; i++) {
    assert.equal(hex(await rootOf(leaves[i], i, 3, pathOf(i, leaves))), ROOT_OF_VECTORS);
  }
});

test('Every leaf of every small tree leads to the root', async () => {
  for (let size = 1; size <= 33; size++) {
    const leaves = leavesOf(size);
    const root = hex(treeHash(leaves));
    for (let i = 0; i < size; i++) {
      assert.equal(hex(await rootOf(leaves[i], i, size, pathOf(i, leaves))), root);
    }
  }
});

test('A path of another place leads elsewhere', async () => {
  const leaves = leavesOf(13);
  const root = hex(treeHash(leaves));
  for (let i = 0; i < 13; i++) {
    const path = pathOf(i, leaves);
    for (const [index, size, steps] of [[(i + 1) % 13, 13, path], [i, 20, path], [i, 13, path.slice(1)], [i, 13, [...path, leaves[0]]], [13, 13, path], [-1, 13, path]]) {
      const found = await rootOf(leaves[i], index, size, steps);
      assert.notEqual(found && hex(found), root);
    }
  }
});

test('The published note is signed with the published key', async () => {
  const note = readNote(NOTE);
  const key = await readKey(NEUMANN);
  assert.equal(await isSigned(note, key), true);
  assert.equal(await isSigned(readNote(NOTE.replace('answer', 'Answer')), key), false);
  assert.equal(await isSigned(note, {...key, id: '00000000'}), false);
});

test('An altered key is refused', async () => {
  for (const text of [NEUMANN.replace('c74f20a3', 'c74f20a4'), NEUMANN.replace('qq/', 'qr/'), NEUMANN.replace('+AR', '+AA'), `${NEUMANN}=`, '', 'a+b']) {
    await assert.rejects(readKey(text), Error, text);
  }
});

test('The published checkpoint is read', () => {
  assert.deepEqual(readCheckpoint(CHECKPOINT), {
    origin: 'example.com/behind-the-sofa', size: 20852163, root: fromBase64('CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I='),
  });
});

test('What is no checkpoint is refused', () => {
  for (const text of ['', 'log\n5\n', CHECKPOINT.trimEnd(), `${CHECKPOINT}more\n`, CHECKPOINT.replace('20852163', '020852163'),
    CHECKPOINT.replace('2I=', '2J='), CHECKPOINT.replace('20852163', '-1'), CHECKPOINT.replace('CsUY', '')]) {
    assert.throws(() => readCheckpoint(text), Error, text);
  }
});

test('What is no note is refused', () => {
  for (const text of ['', 'text\n', 'text\n\n', NOTE.trimEnd(), NOTE.replace('— ', '- '), NOTE.replace('x08go/', '%08go/')]) {
    assert.throws(() => readNote(text), Error, text);
  }
});

test('A true answer is verified', async () => {
  const result = await verify(answer(), SHOWN);
  assert.equal(result.signature.ok, true);
  assert.equal(result.checkpoint.size, 5);
  assert.deepEqual(statesOf(result), [['included', null], ['included', null]]);
});

test('Without envelopes the paths are verified', async () => {
  const given = answer();
  given.events.forEach(event => delete event.envelope);
  const result = await verify(given, SHOWN);
  assert.deepEqual(statesOf(result), [['included', null], ['included', null]]);
  assert.deepEqual(result.events.map(event => event.hasEnvelope), [false, false]);
});

test('An event beyond the checkpoint is not covered', async () => {
  const given = answer();
  given.events[1] = {position: 9, name: 'x', leafHash: VECTORS[1].leaf, covered: false};
  assert.deepEqual(statesOf(await verify(given, SHOWN)), [['included', null], ['uncovered', null]]);
});

test('Every alteration is found', async () => {
  const cases = [
    ['the hash of its envelope is another one', given => { given.events[0].leafHash = VECTORS[1].leaf; }],
    ['the hash of its envelope is another one', given => { given.events[0].envelope = given.events[1].envelope; }],
    ['its path does not lead to the root of the checkpoint', given => { given.events[0].path[0] = VECTORS[2].leaf; }],
    ['its path does not lead to the root of the checkpoint', given => { given.events[0].path.pop(); }],
    ['its path does not lead to the root of the checkpoint', given => { given.events[0].path[1] = 'no hash'; }],
    ['its envelope has another position than is shown', given => { given.events[0].position = 3; }],
    ['its hash is no hash', given => { given.events[0].leafHash = 'beef'; }],
    ['it is beyond the checkpoint', given => { given.events[0] = {...given.events[0], position: 6, envelope: undefined}; }],
  ];
  for (const [why, alter] of cases) {
    const given = answer();
    alter(given);
    assert.deepEqual(statesOf(await verify(given, SHOWN))[0], ['wrong', why]);
  }
});

test('What is shown is compared with what is hashed', async () => {
  for (const [name, value] of [['name', 'gatebook.CallAnswered'], ['version', '2'], ['at', '2026-01-02T03:04:06Z'], ['node', 'node-2']]) {
    const shown = new Map([[1, {...SHOWN.get(1), [name]: value}]]);
    assert.deepEqual(statesOf(await verify(answer(), shown))[0], ['wrong', `its envelope has another ${name} than is shown`]);
  }
  const local = new Map([[1, {...SHOWN.get(1), name: 'CallReceived'}]]);
  assert.equal((await verify(answer(), local)).events[0].state, 'included');
});

test('A checkpoint of another key is not accepted', async () => {
  const other = keyNamed('log.example');
  const result = await verify({...answer(), key: other.text}, SHOWN);
  assert.equal(result.signature.ok, false);
  assert.match(result.signature.why, /^the note is not signed with the key log\.example\+[0-9a-f]{8}$/);
});

test('Without a checkpoint nothing is covered', async () => {
  const given = answer();
  const result = await verify({...given, checkpoint: null, events: given.events.map(event => ({...event, covered: false, path: undefined}))}, SHOWN);
  assert.deepEqual(result.signature, {ok: false, why: 'there is no checkpoint yet'});
  assert.deepEqual(statesOf(result), [['uncovered', null], ['uncovered', null]]);
});
