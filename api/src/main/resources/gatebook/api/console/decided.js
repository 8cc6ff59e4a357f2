// The decision about a call: each gate's verdict, with the rule and policies of then.

import {link} from './address.js';
import {OPEN, events, finalRulings, last, waitsForPerson} from './call-events.js';
import {h, replace} from './dom.js';
import {code, cut, duration, plain, reveal, shortText, time} from './format.js';
import {call as ask, hasRole} from './rpc.js';
import {GATE_NAMES, basis, observedBasis, observedStatus, questionOf, stateOf, took, verdict} from './rulings.js';
import {copyButton, facts, textBlock} from './ui.js';

export function decidedSection(call, view) {
  const rulings = finalRulings(call);
  const asked = events(call, 'CallAdmitted', 'GateDenied', 'ApprovalRequested').at(-1);
  if (!asked) {
    return h('p', {class: 'muted'}, call.status === 'refused' ? 'No gate was asked.' : 'No gate has decided yet.');
  }
  if (rulings.length === 0) {
    return h('p', {class: 'muted'}, 'No gate governs this method: it went through.');
  }
  return [
    h('ol', {class: 'gates'}, GATE_NAMES.map((gate, index) => {
      const ruling = rulings.find(it => it.gate === gate)
        ?? (gate === 'approval' && OPEN.includes(call.status) && waitsForPerson(call) ? {gate, verdict: {kind: 'ask'}} : null);
      return h('li', {class: `gate is-${stateOf(ruling)}`},
        h('div', {class: 'gate-head'},
          h('span', {class: 'gate-number', 'aria-hidden': 'true'}, index + 1),
          h('h3', null, gate, h('span', {class: 'sr'}, ':')),
          ruling ? verdict(ruling) : h('span', {class: 'none'}, notAsked(call, gate)),
          ruling && took(ruling) && h('span', {class: 'gate-took muted num'}, took(ruling))),
        h('p', {class: 'gate-question'}, h('span', null, questionOf(gate)),
          ruling && !hasApproval(call, gate) && basis(ruling).map(([name, value]) =>
          h('span', {class: 'gate-basis'}, name, ' ', value))),
        gate === 'approval' && approvalFacts(call),
        view.excerptPlaces[gate]);
    })),
    h('p', {class: 'muted decided-by'}, 'By the rules ',
      code(shortText(asked.data.rulesHash), {title: plain(asked.data.rulesHash)}), view.excerptNote = h('span')),
    observedFacts(call),
  ];
}

/** The verdict of the candidate beside the one that had effect; null where none was observed. */
function observedFacts(call) {
  const observed = events(call, 'CallAdmitted', 'GateDenied', 'ApprovalRequested')[0]?.data.observed;
  return observed && h('section', {class: 'observed'},
    h('h3', null, 'Observed'),
    h('p', {class: 'muted'}, 'What a candidate would have decided. It had no effect.'),
    facts([
      ['decided', inForceText(call)],
      ['candidate', observedStatus(observed)],
      observed.gate && ['gate', code(observed.gate)],
      ...observedBasis(observed),
      ['its rules', code(shortText(observed.rulesHash), {title: plain(observed.rulesHash)})],
    ]));
}

function inForceText(call) {
  const first = events(call, 'CallAdmitted', 'GateDenied', 'ApprovalRequested')[0];
  return verdict(first.data.rulings.at(-1));
}

function notAsked(call, gate) {
  return hasApproval(call, gate) ? 'nobody decided before the call ended' : 'not asked';
}

/** Whether there is more to tell than the ruling does. */
function hasApproval(call, gate) {
  return gate === 'approval' && events(call, 'ApprovalRequested').length > 0;
}

function approvalFacts(call) {
  const requested = last(call, 'ApprovalRequested');
  if (!requested) {
    return null;
  }
  const granted = last(call, 'ApprovalGranted');
  const rejected = last(call, 'ApprovalRejected');
  const late = last(call, 'ApprovalTimedOut');
  const decided = granted ?? rejected;
  return facts([
    ['workflow', [code(requested.workflow), ', which asks at ', code(requested.destination)]],
    ['asked', time(requested.requestedAt)],
    ['until', [time(requested.deadline), requested.heldUntil && [', the caller waits until ',
      time(requested.heldUntil)]]],
    ['then', requested.onTimeout === 'approve' ? 'approved when nobody decides' : 'denied when nobody decides'],
    decided && [granted ? 'approved' : 'rejected', [time(decided.decidedAt), ' by ', decided.by ? code(decided.by)
      : 'the workflow, at the deadline']],
    decided?.reason && ['reason', h('q', null, code(decided.reason))],
    late && ['timed out', [time(late.deadline), `, after ${duration(late.waitedMillis)}`]],
  ]);
}

/** Asks for the rule and the policies of then, and shows them in the places of the view. */
export async function loadExcerpt(call, view) {
  if (!hasRole('admin') || finalRulings(call).length === 0) {
    return;
  }
  try {
    view.excerpt = await ask('rules.excerpt', {callId: call.callId}, {signal: view.signal});
    showExcerpt(call, view);
  } catch (error) {
    if (error.name !== 'AbortError') {
      replace(view.excerptPlaces.governance, h('p', {class: 'muted'},
        `The text of the rule cannot be shown: ${plain(error.message)}.`));
    }
  }
}

/** Shows the rule and the policies, once they were loaded. */
export function showExcerpt(call, view) {
  const {excerpt} = view;
  if (!excerpt) {
    return;
  }
  const asked = new Set(finalRulings(call).map(it => it.gate));
  if (excerpt.rule && asked.has('governance') && view.excerptPlaces.governance.isConnected) {
    replace(view.excerptPlaces.governance, numbered(excerpt.rule.text, excerpt.rule.line, 'The rule as it was then'));
  }
  if (asked.has('policy') && view.excerptPlaces.policy.isConnected) {
    replace(view.excerptPlaces.policy, (excerpt.policies ?? []).map(policy => h('div', {class: 'policy-text'},
      h('p', {class: 'muted'}, 'policy ', code(policy.id)),
      textBlock(policy.text, `The policy ${cut(plain(policy.id), 60)} as it was then`))));
  }
  if (view.excerptNote && excerpt.activatedAt) {
    replace(view.excerptNote, ', which were in force then, since ', time(excerpt.activatedAt), '. ',
      link('rules', {}, 'All rules'));
  }
}

/** A piece of a file with the numbers of its lines. */
function numbered(text, from, label) {
  const lines = text.replace(/\n$/, '').split('\n');
  return h('div', {class: 'block numbered'},
    h('div', {class: 'numbered-lines', tabIndex: 0, role: 'region', 'aria-label': label},
      h('pre', {'aria-hidden': 'true', class: 'line-numbers'}, lines.map((_, i) => from + i).join('\n')),
      h('pre', null, reveal(lines.join('\n')).map(part => part.hidden && part.text !== 'U+000A'
        ? h('span', {class: 'hidden-char'}, part.text)
        : part.hidden ? '\n' : part.text))),
    copyButton(text, `Copy: ${label}`));
}
