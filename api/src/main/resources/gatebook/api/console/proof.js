// Verifies in the browser that events are in the journal's tree: the hash of each event, its path
// to the root of a checkpoint, and the checkpoint's signature. See events/decisions/0001.

const LEAF = 0x00;
const NODE = 0x01;
const ED25519 = 0x01;
const HASH_BYTES = 32;
const KEY_ID_BYTES = 4;
const LAYOUT = 'gatebook/1\n';
const MISSING = 'gatebook/missing/';
const DASH = '\u2014 ';

const UTF8 = new TextEncoder();

/** Why this browser cannot verify here; null when it can. */
export function whyNot() {
  return globalThis.crypto?.subtle
    ? null
    : 'The browser offers its cryptography only in a secure context: open the console at localhost or by https.';
}

/** Whether this browser knows the signature algorithm. */
export async function knowsEd25519() {
  try {
    await crypto.subtle.importKey('raw', new Uint8Array(HASH_BYTES), {name: 'Ed25519'}, false, ['verify']);
    return true;
  } catch (error) {
    return error.name !== 'NotSupportedError';
  }
}

async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', joined(parts)));
}

function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The leaf of an envelope: SHA-256 of a zero byte and the envelope. */
export function leafHash(envelope) {
  return sha256([LEAF], envelope);
}

/** The inner node above two others. */
export function nodeHash(left, right) {
  return sha256([NODE], left, right);
}

/**
 * The root that a leaf and its path lead to, as RFC 9162 section 2.1.3.2 has it; null when the path
 * has another length than this place in a tree of this size has.
 *
 * @param index of the leaf, from 0
 * @param path the hashes from the leaf's sibling upwards
 */
export async function rootOf(leaf, index, size, path) {
  let at = BigInt(index);
  let last = BigInt(size) - 1n;
  if (at < 0n || at > last) {
    return null;
  }
  let hash = leaf;
  for (const sibling of path) {
    if (last === 0n) {
      return null;
    }
    if ((at & 1n) === 1n || at === last) {
      hash = await nodeHash(sibling, hash);
      while ((at & 1n) === 0n && at !== 0n) {
        at >>= 1n;
        last >>= 1n;
      }
    } else {
      hash = await nodeHash(hash, sibling);
    }
    at >>= 1n;
    last >>= 1n;
  }
  return last === 0n ? hash : null;
}

/** The fields of an envelope; null when its layout is not known here. */
export function readEnvelope(bytes) {
  let at = 0;
  if (starts(MISSING) && bytes.length === MISSING.length + 8) {
    at = MISSING.length;
    return {isMissing: true, position: number()};
  }
  if (!starts(LAYOUT)) {
    return null;
  }
  at = LAYOUT.length;
  try {
    const position = number();
    const [id, name, version, time, node, tags] = [text(), text(), text(), text(), text(), text()];
    const payload = hex(take(HASH_BYTES));
    const metadata = hex(take(HASH_BYTES));
    return at === bytes.length
      ? {isMissing: false, position, id, name, version, at: time, node, tags, payload, metadata}
      : null;
  } catch {
    return null;
  }

  function starts(ascii) {
    return bytes.length >= ascii.length && [...ascii].every((c, i) => bytes[i] === c.charCodeAt(0));
  }

  function take(length) {
    if (at + length > bytes.length) {
      throw new RangeError('the envelope is cut');
    }
    at += length;
    return bytes.subarray(at - length, at);
  }

  function view(length) {
    const part = take(length);
    return new DataView(part.buffer, part.byteOffset, length);
  }

  function number() {
    return Number(view(8).getBigUint64(0));
  }

  function text() {
    return new TextDecoder('utf-8', {ignoreBOM: true}).decode(take(view(4).getUint32(0)));
  }
}

/** A verifier key `name+id+base64`: `{name, id, bytes}`. Throws when it is none or was altered. */
export async function readKey(text) {
  const parts = /^([^\s+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text.trim());
  const typed = parts && fromBase64(parts[3]);
  if (!typed || typed.length !== 1 + HASH_BYTES || typed[0] !== ED25519) {
    throw new Error('this is no verifier key of Ed25519');
  }
  const id = hex((await sha256(UTF8.encode(`${parts[1]}\n`), typed)).subarray(0, KEY_ID_BYTES));
  if (id !== parts[2]) {
    throw new Error(`the key says that its id is ${parts[2]}, and its bytes give ${id}`);
  }
  return {name: parts[1], id, bytes: typed.subarray(1)};
}

/** A signed note: `{text, signatures: [{name, id, bytes}]}`. Throws when it is none. */
export function readNote(note) {
  const blank = note.lastIndexOf('\n\n');
  if (blank < 0 || !note.endsWith('\n') || blank + 2 === note.length) {
    throw new Error('this is no signed note');
  }
  const signatures = note.slice(blank + 2, -1).split('\n').map(line => {
    const parts = line.startsWith(DASH) ? /^(\S+) (\S+)$/.exec(line.slice(DASH.length)) : null;
    const blob = parts && fromBase64(parts[2]);
    if (!blob || blob.length <= KEY_ID_BYTES) {
      throw new Error('a line of the note is no signature');
    }
    return {name: parts[1], id: hex(blob.subarray(0, KEY_ID_BYTES)), bytes: blob.subarray(KEY_ID_BYTES)};
  });
  return {text: note.slice(0, blank + 1), signatures};
}

/** The three lines of a checkpoint: `{origin, size, root}`. Throws when they are others. */
export function readCheckpoint(text) {
  const [origin, size, root, end, ...more] = text.split('\n');
  const hash = root === undefined ? null : fromBase64(root);
  if (!origin || !/^(0|[1-9]\d*)$/.test(size ?? '') || hash?.length !== HASH_BYTES || end !== '' || more.length) {
    throw new Error('the note is no checkpoint');
  }
  return {origin, size: Number(size), root: hash};
}

/** Whether the note is signed with the key. */
export async function isSigned(note, key) {
  const mine = note.signatures.filter(it => it.name === key.name && it.id === key.id);
  if (mine.length === 0) {
    return false;
  }
  const verifier = await crypto.subtle.importKey('raw', key.bytes, {name: 'Ed25519'}, false, ['verify']);
  const results = await Promise.all(mine.map(it =>
    crypto.subtle.verify({name: 'Ed25519'}, verifier, it.bytes, UTF8.encode(note.text))));
  return results.every(Boolean);
}

/**
 * Verifies what `audit.proof` answered.
 *
 * @param recorded what the page shows of the events, by position: `{name, version, at, node}`
 * @return `{signature: {ok, why?}, checkpoint: {origin, size, root}|null, events}`, where each event
 *     is `{position, state, why?, hasEnvelope, envelope?}` and its state is included, uncovered or
 *     wrong
 */
export async function verify(answer, recorded = new Map()) {
  const {signature, checkpoint} = await verifyCheckpoint(answer);
  const events = [];
  for (const event of answer.events ?? []) {
    events.push(await verifyEvent(event, checkpoint, recorded.get(event.position)));
  }
  return {signature, checkpoint, events};
}

async function verifyCheckpoint(answer) {
  if (!answer.checkpoint) {
    return {signature: {ok: false, why: 'there is no checkpoint yet'}, checkpoint: null};
  }
  try {
    const note = readNote(answer.checkpoint.text);
    const checkpoint = readCheckpoint(note.text);
    const key = await readKey(answer.key);
    const ok = await isSigned(note, key);
    return {
      signature: ok ? {ok, key} : {ok, why: `the note is not signed with the key ${key.name}+${key.id}`},
      checkpoint,
    };
  } catch (error) {
    const why = error.name === 'NotSupportedError' ? 'this browser does not know Ed25519' : error.message;
    return {signature: {ok: false, why}, checkpoint: readableCheckpoint(answer)};
  }
}

function readableCheckpoint(answer) {
  try {
    return readCheckpoint(readNote(answer.checkpoint.text).text);
  } catch {
    return null;
  }
}

async function verifyEvent(event, checkpoint, shown) {
  const {position} = event;
  const leaf = fromHex(event.leafHash ?? '');
  const bytes = event.envelope ? fromBase64(event.envelope) : null;
  const envelope = bytes ? readEnvelope(bytes) : null;
  const result = {position, leafHash: event.leafHash, hasEnvelope: Boolean(bytes), envelope};
  if (leaf?.length !== HASH_BYTES) {
    return {...result, state: 'wrong', why: 'its hash is no hash'};
  }
  if (bytes && !equal(await leafHash(bytes), leaf)) {
    return {...result, state: 'wrong', why: 'the hash of its envelope is another one'};
  }
  const difference = envelope && differenceOf(envelope, {...shown, position});
  if (difference) {
    return {...result, state: 'wrong', why: `its envelope has another ${difference} than is shown`};
  }
  if (!event.covered || !checkpoint || position > checkpoint.size) {
    return event.covered && checkpoint
      ? {...result, state: 'wrong', why: 'it is beyond the checkpoint'}
      : {...result, state: 'uncovered'};
  }
  const path = (event.path ?? []).map(fromHex);
  const root = path.every(it => it?.length === HASH_BYTES)
    ? await rootOf(leaf, position - 1, checkpoint.size, path)
    : null;
  return root && equal(root, checkpoint.root)
    ? {...result, state: 'included'}
    : {...result, state: 'wrong', why: 'its path does not lead to the root of the checkpoint'};
}

function differenceOf(envelope, shown) {
  return ['position', 'name', 'version', 'at', 'node'].find(name =>
    shown[name] !== undefined && !isSame(name, envelope[name], shown[name])) ?? null;
}

/** Names are shown with or without their namespace. */
function isSame(name, recorded, shown) {
  return recorded === shown || (name === 'name' && String(recorded).endsWith(`.${shown}`));
}

function equal(a, b) {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

export function hex(bytes) {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

/** The bytes of a hexadecimal text; null when it is none. */
export function fromHex(text) {
  return /^(?:[0-9a-f]{2})*$/i.test(text)
    ? Uint8Array.from(text.match(/../g) ?? [], pair => parseInt(pair, 16))
    : null;
}

/** The bytes of a base64 text with its padding; null when it is none, or not the only text of them. */
export function fromBase64(text) {
  try {
    const binary = atob(text);
    return btoa(binary) === text ? Uint8Array.from(binary, c => c.charCodeAt(0)) : null;
  } catch {
    return null;
  }
}
