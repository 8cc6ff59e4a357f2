// The page of one call: its request, the ruling of each gate, the answer of the source, the response,
// and the proof.

import {link, navigate} from './address.js';
import {decideAgain} from './again.js';
import {askedSection} from './asked.js';
import {OPEN, finalRulings} from './call-events.js';
import {heading, lead, timeSection} from './call-heading.js';
import {idList, related} from './call-ids.js';
import {decidedSection, loadExcerpt, showExcerpt} from './decided.js';
import {h, replace} from './dom.js';
import {loadProof, recordSection, showProof} from './evidence.js';
import {time} from './format.js';
import {forwardedSection} from './forwarded.js';
import {refreshOn} from './refresh.js';
import {call as ask} from './rpc.js';
import {toldSection} from './told.js';
import {announce, busy, page} from './ui.js';

export const title = 'Call';

const REMEMBERED_MILLIS = 5_000;
const CALL_EVENTS = ['CallAdmitted', 'GateDenied', 'ApprovalRequested', 'ApprovalGranted', 'ApprovalRejected',
  'ApprovalTimedOut', 'CallForwarded', 'SourceAsked', 'CallerReplied', 'TaskCreated', 'CallAnswered',
  'ErrorTranslated', 'MessageRefused', 'CallAbandoned', 'CallOrphaned'];

let remembered = null;

/** Keeps the answer of a lookup for the page that is about to be shown, so that it is asked for once. */
export function remember(callId, found) {
  remembered = {callId, found, until: performance.now() + REMEMBERED_MILLIS};
}

function recall(callId) {
  const found = remembered?.callId === callId && performance.now() < remembered.until ? remembered.found : null;
  remembered = null;
  return found;
}

export async function show(main, {id, query, signal}) {
  const params = query.asOf ? {id, asOf: query.asOf} : {id};
  const found = recall(id) ?? await busy(ask('audit.lookup', params, {signal, exact: true}));
  const call = found.calls.find(it => it.callId === id) ?? (found.calls.length === 1 ? found.calls[0] : null);
  if (!call) {
    await navigate('calls', {q: id, asOf: query.asOf}, {replace: true});
    return;
  }
  const view = {signal, proof: null, excerpt: null, found, asOf: query.asOf};
  draw(main, call, view);
  loadProof(call, view);
  loadExcerpt(call, view);
  if (OPEN.includes(call.status) && !query.asOf) {
    followCall(main, call, view);
  }
}

/** Draws the call, or draws it again with what is open left open. */
function draw(main, call, view) {
  const open = new Set([...main.querySelectorAll('details[open][data-key]')].map(it => it.dataset.key));
  view.proofPlace = h('div', {class: 'proof', 'aria-live': 'polite'},
    h('p', {class: 'muted'}, 'Asking for the proof …'));
  view.excerptPlaces = {governance: h('div'), policy: h('div')};
  view.leafPlaces = new Map();
  const isRefused = call.status === 'refused';
  replace(main, page(heading(call),
    lead(call),
    notes(call),
    view.asOf && h('p', {class: 'note'}, 'As it was recorded up to ', time(view.asOf), '. ',
      link(['call', call.callId], {}, 'Show all that was recorded')),
    h('div', {class: 'ledger'},
      h('div', {class: 'entries'},
        !isRefused && entry('Time', timeSection(call)),
        entry('Asked', askedSection(call)),
        entry('Decided', decidedSection(call, view)),
        !isRefused && entry('Forwarded', forwardedSection(call)),
        entry('Told', toldSection(call)),
        entry('Record', recordSection(call, view)),
        !isRefused && entry('Again', decideAgain(call.callId, finalRulings(call), view.signal))),
      h('aside', {class: 'witness', 'aria-label': 'Proof and ids'},
        h('section', null, h('h2', null, 'Proof'), view.proofPlace),
        h('section', null, h('h2', null, 'Ids'), idList(call)),
        h('section', null, h('h2', null, 'From here'), related(call, view.found))))));
  for (const details of main.querySelectorAll('details[data-key]')) {
    details.open = open.has(details.dataset.key);
  }
  showProof(call, view);
  showExcerpt(call, view);
}

/** Says what of the call cannot be read here any longer, and what comes from elsewhere. */
function notes({archived, events}) {
  const contents = new Set(events.map(event => event.content));
  return [
    contents.has('erased') && 'What was said in it was erased. Who called, when, and what was decided stays.',
    contents.has('key-missing') && 'What was said in it cannot be read: its key is missing, and was not erased. See backups of the content keys.',
    archived && 'Events of it are in the archive, and were read from there.',
  ].filter(Boolean).map(note => h('p', {class: 'note'}, note));
}

function entry(name, content) {
  return content && h('section', {class: 'entry'}, h('h2', null, name), h('div', {class: 'entry-body'}, content));
}

/** Shows an open call anew when something happens to it. */
function followCall(main, call, view) {
  refreshOn({
    names: CALL_EVENTS,
    concerns: came => came.some(event => event.callId === call.callId),
    signal: view.signal,
    refresh: async () => {
      const found = await ask('audit.lookup', {id: call.callId},
        {signal: view.signal, exact: true}).catch(() => null);
      const now = found?.calls.find(it => it.callId === call.callId);
      if (!now || view.signal.aborted) {
        return; // the next event asks again
      }
      view.found = found;
      draw(main, now, view);
      loadProof(now, view);
      if (now.status !== call.status) {
        announce(`The call is ${now.status} now.`);
        loadExcerpt(now, view);
      }
      Object.assign(call, now);
    },
  });
}
