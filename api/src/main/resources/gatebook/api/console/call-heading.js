// The heading of a call: its caller, target, outcome and duration.

import {link} from './address.js';
import {OPEN, events, isNotification, last, waitsForPerson} from './call-events.js';
import {h} from './dom.js';
import {code, cut, duration, errorCode, plain, reveal, statusBadge, time} from './format.js';
import {GATE_NAMES} from './rulings.js';
import {timeline} from './timeline.js';

const DIALECT_NAMES = {mcp: 'MCP', daemon: 'daemon', flow: 'task flow', a2a: 'A2A'};

export function heading(call) {
  const who = call.principal ? named(call.principal, 48) : 'Somebody';
  const what = call.target ?? call.method;
  if (call.status === 'refused' || !what) {
    return h('h1', null, 'A message was refused before it became a call');
  }
  return h('h1', null, who, ' called ', named(what, 72), ending(call));
}

function named(text, max) {
  return h('bdi', {class: 'name', title: text.length > max ? plain(cut(text, 2_000)) : null},
    reveal(cut(text, max)).map(part => part.hidden ? h('span', {class: 'hidden-char'}, part.text) : part.text));
}

function ending(call) {
  switch (call.status) {
    case 'answered': return last(call, 'CallAnswered')?.outcome === 'tool-error'
      ? '; the tool reported an error'
      : ' and was answered';
    case 'denied': return `; ${gateOf(call)} denied it`;
    case 'failed': return '; it failed';
    case 'held': return waitsForPerson(call) ? ', which waits for a person' : ', which is being decided';
    case 'forwarded': return ', which is at its source';
    case 'abandoned': return ', and left before the answer';
    case 'orphaned': return '; its node died on the way';
    default: return '';
  }
}

function gateOf(call) {
  const number = GATE_NAMES.indexOf(call.gate) + 1;
  return number > 0 ? `gate ${number}, ${call.gate},` : 'a gate';
}

export function lead(call) {
  const received = last(call, 'CallReceived') ?? last(call, 'MessageRefused');
  return h('p', {class: 'lead call-lead'},
    statusBadge(call.status),
    call.code !== null && h('span', null, isNotification(call) ? 'error ' : 'told ', errorCode(call.code)),
    call.receivedAt && time(call.receivedAt, 'millis'),
    call.durationMillis !== null && h('span', null, 'took ', duration(total(call))),
    call.dialect && h('span', null, DIALECT_NAMES[call.dialect] ?? plain(call.dialect),
      received?.dialectVersion ? [' ', code(received.dialectVersion, {max: 40})] : '',
      received?.transport ? ` over ${transport(received.transport)}` : ''));
}

function transport(word) {
  return {http: 'HTTP', frames: 'framed standard input', lines: 'lines of standard input',
    tree: 'a task of a tree'}[word] ?? plain(word);
}

/** To the microsecond where the parts of the time are known. */
function total(call) {
  const micros = call.events.flatMap(event => event.spent ?? []).reduce((sum, part) => sum + Number(part.micros), 0);
  return Math.floor(micros / 1_000) === call.durationMillis ? micros / 1_000 : call.durationMillis;
}

/** Who had the call for how long, and how long it may still wait. */
export function timeSection(call) {
  const isTimed = call.events.some(event => (event.spent ?? []).length > 0);
  const requested = last(call, 'ApprovalRequested');
  const isWaiting = OPEN.includes(call.status);
  return [
    isTimed ? timeline(call) : !isWaiting && h('p', {class: 'muted'}, 'It took no time that was measured.'),
    isWaiting && h('p', {class: 'still'},
      waitsForPerson(call) ? 'It waits for a person' : 'It has not ended',
      call.events.length > 0 && [', since ', time(call.events.at(-1).at)],
      requested && waitsForPerson(call) && [', until ', time(dueAt(requested)), ' at the latest. ',
        link('approvals', {}, 'Decide it')],
      '.'),
  ];
}

function dueAt(requested) {
  return [requested.deadline, requested.heldUntil].filter(Boolean).sort()[0];
}
