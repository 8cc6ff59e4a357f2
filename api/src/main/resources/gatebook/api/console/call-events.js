// Reads the events of a call, for the sections that draw it.

import {h} from './dom.js';
import {bytes, code} from './format.js';
import {localName} from './timeline.js';
import {facts, jsonBlock, textBlock} from './ui.js';

/** The statuses of calls that have not ended. */
export const OPEN = ['held', 'forwarded'];

/** The events with these names, in order. */
export function events(call, ...names) {
  return call.events.filter(event => names.includes(localName(event.name)));
}

/** The data of the last event with one of these names; null when there is none. */
export function last(call, ...names) {
  return events(call, ...names).at(-1)?.data ?? null;
}

/** A notification has no id, and nothing is sent back. */
export function isNotification(call) {
  const received = last(call, 'CallReceived');
  return received !== null && !received.rpcId;
}

export function waitsForPerson(call) {
  return events(call, 'ApprovalRequested').length > events(call, 'ApprovalGranted', 'ApprovalRejected',
    'ApprovalTimedOut').length;
}

/** The rulings that decided: those of the last event that has any. */
export function finalRulings(call) {
  return events(call, 'CallAdmitted', 'GateDenied', 'ApprovalRequested').at(-1)?.data.rulings ?? [];
}

/** Content as far as it was kept: whole, its beginning, or its digest. */
export function kept(content, label) {
  if (content.redacted !== undefined && content.redacted !== null) {
    return jsonBlock(content.redacted, label);
  }
  if (content.beginning !== undefined && content.beginning !== null) {
    return [
      textBlock(content.beginning, `${label}, the beginning`),
      h('p', {class: 'muted'}, `Only the beginning of ${bytes(content.sizeBytes)} is kept.`),
    ];
  }
  return content.digest
    && facts([['digest', [code(content.digest.hmac, {max: 80}), ' ', h('span', {class: 'muted'}, 'with the key '),
      code(content.digest.key, {max: 40})]]]);
}
