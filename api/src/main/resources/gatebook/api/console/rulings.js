// The verdicts of gates in words, with the rules they rest on.

import {h} from './dom.js';
import {code, duration, plain} from './format.js';

export const GATE_NAMES = ['visibility', 'governance', 'policy', 'approval'];

const QUESTIONS = {
  visibility: 'Is the tool exposed?',
  governance: 'What do the rules say?',
  policy: 'Does a policy permit it?',
  approval: 'Does a person agree?',
};

const REASONS = {
  'source-unknown': 'no source answers for this name',
  'source-disabled': 'its source is disabled',
  'not-exposed': 'its source does not expose it',
  rule: 'a rule denies it',
  'default-action': 'no rule matches, and the default denies',
  'policy-forbids': 'a policy forbids it',
  'no-policy-permits': 'no policy permits it',
  'policy-error': 'a policy could not be evaluated',
  rejected: 'a person rejected it',
  'timed-out': 'nobody decided in time',
  'workflow-not-found': 'its workflow is no longer in the rules',
  'principal-unknown': 'it knows no such principal',
  broken: 'its files have mistakes',
  exception: 'it failed with an exception',
  'not-asked': 'it is a notification, for which nobody is asked',
};

/** The question of each gate. */
export function questionOf(gate) {
  return QUESTIONS[gate] ?? '';
}

/** The state of a verdict, for its mark: ok, wait, bad or none. */
export function stateOf(ruling) {
  switch (ruling?.verdict?.kind) {
    case 'pass':
    case 'forward': return 'ok';
    case 'ask': return 'wait';
    case 'deny': return 'bad';
    default: return 'none';
  }
}

/** The verdict in words. */
export function verdictText(ruling) {
  const verdict = ruling?.verdict ?? {};
  switch (verdict.kind) {
    case 'pass': return 'passed';
    case 'forward': return 'forwarded, no other gate is asked';
    case 'ask': return 'a person is asked';
    case 'deny': return `denied: ${REASONS[verdict.reason] ?? plain(verdict.reason)}`;
    default: return plain(verdict.kind ?? 'not asked');
  }
}

/** The verdict of a candidate in words. */
export function observedText({outcome, reason}) {
  const because = reason ? `: ${REASONS[reason] ?? plain(reason)}` : '';
  switch (outcome) {
    case 'would-forward': return 'would be forwarded';
    case 'would-ask': return 'a person would be asked';
    case 'would-deny': return `would be denied${because}`;
    case 'would-withhold': return `would be withheld${because}`;
    case 'failed': return `no verdict${because}`;
    default: return plain(outcome);
  }
}

/** The same with its mark. */
export function observedStatus(observed) {
  const state = {'would-forward': 'ok', 'would-ask': 'wait', failed: 'none'}[observed.outcome] ?? 'bad';
  return h('span', {class: `status is-${state}`}, observedText(observed));
}

/** What the verdict of a candidate rests on, as pairs of a name and a value. */
export function observedBasis(observed) {
  return [
    ['rule', observed.rule && `number ${observed.rule}`],
    ['policies', observed.policies && list(observed.policies)],
    ['errors', observed.errors && list(observed.errors)],
    ['workflow', observed.workflow && code(observed.workflow)],
  ].filter(([, value]) => value);
}

export function verdict(ruling) {
  return h('span', {class: `status is-${stateOf(ruling)}`}, verdictText(ruling));
}

/** The basis of the verdict, as pairs of a name and a value. */
export function basis(ruling) {
  const by = [];
  switch (ruling.gate) {
    case 'visibility':
      by.push(['exposure', ruling.exposure && code(ruling.exposure)],
        ['pattern', ruling.pattern && code(ruling.pattern)]);
      break;
    case 'governance':
      by.push(
        ['rule', ruling.rule ? [`number ${ruling.rule}, `, code(ruling.pattern)] : 'none matches: the default'],
        ['action', code(ruling.action)]);
      break;
    case 'policy':
      by.push(
        ['policy id', ruling.policyId && code(ruling.policyId)],
        ['decided by', ruling.reasons?.length > 0 && list(ruling.reasons)],
        ['errors', ruling.errors?.length > 0 && list(ruling.errors)],
        ['engine', ruling.engineVersion && [code(ruling.engineVersion), ruling.cached ? ', from the cache' : '']]);
      break;
    case 'approval':
      by.push(['by', ruling.by && code(ruling.by)]);
      break;
    default:
  }
  by.push(
    ['workflow', (ruling.verdict?.workflow ?? ruling.workflow) && code(ruling.verdict?.workflow ?? ruling.workflow)],
    ['detail', ruling.verdict?.detail && code(ruling.verdict.detail)]);
  return by.filter(([, value]) => value);
}

/** Texts with commas between them; one text says why they cannot be read. */
function list(texts) {
  return [texts].flat().map((text, i) => [i > 0 && ', ', code(text)]);
}

/** How long the gate took. */
export function took(ruling) {
  return ruling.tookMicros === undefined ? null : duration(ruling.tookMicros / 1_000);
}
