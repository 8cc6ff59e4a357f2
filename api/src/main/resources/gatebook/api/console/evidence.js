// The record of a call and its proof: its events with their hashes, and the result of verifying it in the browser.

import {append, h, replace} from './dom.js';
import {code, count, counted, cut, localText, plain, time} from './format.js';
import {knowsEd25519, verify, whyNot} from './proof.js';
import {call as ask} from './rpc.js';
import {localName} from './timeline.js';
import {announce, busy, copyButton, facts, jsonBlock, problem, textBlock, whileDisabled} from './ui.js';

const EVENTS_SHOWN = 100;
const TREE_MILLIS = 1_000;

/** The events of a call, each with its hash once the proof is there. */
export function recordSection(call, view) {
  const list = h('ol', {class: 'events'});
  let shown = 0;
  const button = h('button', {type: 'button', 'data-key': 'more-events', onclick: () => showMore(true)},
    'Show more events');
  showMore(false);
  return [
    h('p', {class: 'muted'}, `${counted(call.events.length, 'event')}, ${call.events.length === 1 ? 'a leaf' : 'each a leaf'} of the journal’s tree.`),
    list,
    shown < call.events.length && button,
  ];

  function showMore(isAsked) {
    const next = call.events.slice(shown, shown + EVENTS_SHOWN);
    const items = next.map(event => eventItem(event, view));
    append(list, items);
    shown += next.length;
    if (isAsked) {
      items[0]?.querySelector('summary')?.focus();
      showProof(call, view);
      announce(`${next.length} more events.`);
    }
    if (shown >= call.events.length) {
      button.remove();
    }
  }
}

function eventItem(event, view) {
  const leaf = h('span', {class: 'leaf'});
  const hash = h('div');
  view.leafPlaces.set(event.position, {leaf, hash});
  const body = h('div', {class: 'event-body'});
  const details = h('details', {
    class: 'event', 'data-row': event.position, 'data-key': `event-${event.position}`,
    ontoggle: () => {
      if (details.open && body.childNodes.length === 0) {
        append(body, hash, jsonBlock(event.data, `Event ${event.position}`));
        showHash(event.position, view);
      }
    },
  },
  h('summary', null,
    h('span', {class: 'event-position num'}, `#${event.position}`),
    h('span', {class: 'event-name'}, plain(cut(localName(event.name), 80)),
      event.version !== '1' && h('span', {class: 'muted'}, ` version ${plain(event.version)}`),
      event.content && h('span', {class: 'bad'}, ` content ${plain(event.content)}`)),
    h('span', {class: 'event-at'}, time(event.at, 'millis')),
    h('span', {class: 'event-node muted'}, plain(cut(event.node, 40))),
    leaf),
  body);
  return h('li', null, details);
}

// ---------------------------------------------------------------- proof

/** Asks for the proof, verifies it, and shows the result in the places of the view. */
export async function loadProof(call, view) {
  try {
    const answer = await ask('audit.proof', {callId: call.callId}, {signal: view.signal});
    const why = whyNot() ?? (await knowsEd25519() ? null
      : 'This browser does not know Ed25519, the algorithm of the signature: a newer one does.');
    const recorded = new Map(call.events.map(event => [event.position, event]));
    view.proof = {answer, why, result: why ? null : await verify(answer, recorded), at: new Date().toISOString()};
  } catch (error) {
    if (error.name === 'AbortError') {
      return;
    }
    if (error.code === 503 && error.data?.size) {
      await waitForTree(error.data, view);
      return view.signal.aborted ? undefined : loadProof(call, view);
    }
    view.proof = {error};
  }
  showProof(call, view);
}

/** The first proof after a start of the node takes it some seconds, in which it reads all leaves. */
function waitForTree({position, size}, view) {
  replace(view.proofPlace,
    h('p', {class: 'proof-verdict is-wait'}, 'Being prepared'),
    h('p', null, `The node reads its journal for the first proof: ${count(Number(position))} of ${counted(Number(size), 'event')}.`),
    h('progress', {value: Number(position), max: Number(size), 'aria-label': 'Events read'}));
  return new Promise(resolve => setTimeout(resolve, TREE_MILLIS));
}

/** Shows the proof, once it was loaded. */
export function showProof(call, view) {
  const {proof} = view;
  if (!proof) {
    return;
  }
  if (proof.error) {
    replace(view.proofPlace, problem(proof.error));
    return;
  }
  replace(view.proofPlace, proofText(call, view));
  view.hashes = new Map((proof.answer.events ?? []).map(event => [event.position, {hash: String(event.leafHash)}]));
  for (const event of proof.result?.events ?? []) {
    Object.assign(view.hashes.get(event.position), event);
  }
  for (const [position, places] of view.leafPlaces) {
    const proven = view.hashes.get(position);
    if (proven) {
      replace(places.leaf, leafMark(proven), h('bdi', {class: 'code', title: plain(proven.hash)},
        plain(proven.hash.slice(0, 12))));
      showHash(position, view);
    }
  }
}

/** The hash of an event that is open. */
function showHash(position, view) {
  const proven = view.hashes?.get(position);
  const {hash: place} = view.leafPlaces.get(position);
  if (proven && place.isConnected) {
    replace(place, facts([
      ['leaf hash', [code(proven.hash), ' ', copyButton(proven.hash, 'Copy the leaf hash')]],
      proven.why && ['proof', h('span', {class: 'bad'}, plain(proven.why))],
      proven.envelope && ['payload', [h('span', {class: 'muted'}, 'SHA-256 '), code(proven.envelope.payload)]],
    ]));
  }
}

function leafMark(state) {
  switch (state?.state) {
    case 'included': return h('span', {class: 'proof-mark ok', title: 'included in the checkpoint'}, '✓',
      h('span', {class: 'sr'}, ' included in the checkpoint'));
    case 'wrong': return h('span', {class: 'proof-mark bad', title: state.why}, '✗',
      h('span', {class: 'sr'}, ` the proof fails: ${state.why}`));
    case 'uncovered': return h('span', {class: 'proof-mark muted', title: 'not yet covered by a checkpoint'}, '○',
      h('span', {class: 'sr'}, ' not yet covered by a checkpoint'));
    default: return null;
  }
}

function proofText(call, view) {
  const {answer, result, why, at} = view.proof;
  const refresh = h('button', {type: 'button', 'data-key': 'verify-again',
    onclick: () => whileDisabled(refresh, async () => {
    await busy(loadProof(call, view));
    announce('Verified again.');
  })}, 'Verify again');
  return [
    why ? [h('p', {class: 'proof-verdict is-none'}, 'Not verified here'), h('p', null, why)] : verdictOf(result, at),
    answer.checkpoint && h('details', {'data-key': 'checkpoint'},
      h('summary', null, 'Checkpoint and key'),
      h('p', {class: 'muted'}, 'A signed note, made ', time(answer.checkpoint.at), '. Keep it elsewhere: ',
        h('code', null, './gatebook verify --against FILE'), ' then finds even what was signed anew.'),
      textBlock(answer.checkpoint.text, 'Checkpoint'),
      textBlock(answer.key, 'Verifier key')),
    h('details', {'data-key': 'what-it-proves'},
      h('summary', null, 'What this proves'),
      h('p', null, 'Position, name, version, time, node and the digests of each event are hashed to its leaf. The path from the leaf leads to the root that the checkpoint commits to, and the node’s key signed the checkpoint. Your browser computed all of it.'),
      h('p', null, 'It does not prove that an event is true, nor that the holder of the key never signed another history.')),
    refresh,
  ];
}

function verdictOf({signature, checkpoint, events: all}, at) {
  const wrong = all.filter(event => event.state === 'wrong');
  const uncovered = all.filter(event => event.state === 'uncovered');
  const included = all.length - wrong.length - uncovered.length;
  const hashed = all.filter(event => event.hasEnvelope).length;
  if (wrong.length > 0 || (checkpoint && !signature.ok)) {
    return [
      h('p', {class: 'proof-verdict is-bad'}, 'The proof fails'),
      !signature.ok && h('p', null, `The checkpoint: ${plain(signature.why)}.`),
      wrong.slice(0, 5).map(event => h('p', null, `Event #${event.position}: ${plain(event.why)}.`)),
      h('p', {class: 'muted'}, 'Run ./gatebook verify, and keep the data directory as it is.'),
    ];
  }
  if (included === 0) {
    return [
      h('p', {class: 'proof-verdict is-wait'}, 'Not covered yet'),
      h('p', null, checkpoint
        ? `The newest checkpoint covers ${counted(checkpoint.size, 'event')}; these are newer. The next one covers them.`
        : 'There is no checkpoint yet. The first one covers these events.'),
    ];
  }
  return [
    h('p', {class: `proof-verdict is-${uncovered.length > 0 ? 'wait' : 'ok'}`},
      uncovered.length > 0 ? 'Proven in part' : 'Proven'),
    h('p', null, `${uncovered.length > 0 ? `${included} of ${all.length}` : included === 1 ? 'The' : `All ${count(included)}`} event${all.length === 1 ? ' is' : 's are'} in the tree of ${counted(checkpoint.size, 'event')} that the checkpoint signed by `,
      code(`${signature.key.name}+${signature.key.id}`, {max: 60}), ' commits to.'),
    uncovered.length > 0 && h('p', null,
      `${uncovered.length} ${uncovered.length === 1 ? 'is' : 'are'} newer; the next checkpoint covers ${uncovered.length === 1 ? 'it' : 'them'}.`),
    hashed < all.length && h('p', {class: 'muted'},
      'The hashes of the events themselves are computed anew for operators with the role arguments.'),
    h('p', {class: 'muted'}, `Verified in this browser at ${localText(at, 'time')}.`),
  ];
}
