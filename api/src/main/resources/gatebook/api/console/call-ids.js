// The ids of a call, and the ways from it to others.

import {link} from './address.js';
import {last} from './call-events.js';
import {h} from './dom.js';
import {code} from './format.js';
import {copyButton, facts} from './ui.js';

/** The ids, each to be copied. */
export function idList(call) {
  const received = last(call, 'CallReceived');
  const ids = [
    ['call', call.callId],
    ['correlation', call.correlationId],
    ['trace', received?.traceId],
    ['task', last(call, 'TaskCreated')?.taskId ?? received?.taskId],
    ['approval', last(call, 'ApprovalRequested')?.approvalId],
  ].filter(([, id]) => id);
  return facts(ids.map(([name, id]) => [name, h('span', {class: 'id-value'}, code(id), ' ',
    copyButton(id, `Copy the ${name} id`))]), {class: 'facts ids'});
}

/** Links to what is near. */
export function related(call, found) {
  const tree = found.trees?.find(it => it.tasks?.some(task => task.callId === call.callId
    || task.calls?.some(run => run.callId === call.callId)));
  return h('ul', {class: 'ways'},
    tree && h('li', null, link(['tree', tree.treeId], {}, 'Its tree of tasks')),
    call.correlationId && h('li', null,
      link('calls', {q: call.correlationId, all: '1'}, 'Calls with this correlation id')),
    call.principal && h('li', null,
      link('calls', {principal: call.principal}, 'Calls of ', code(call.principal, {max: 24}))),
    call.target && h('li', null, link('calls', {tool: call.target}, 'Calls of ', code(call.target, {max: 24}))),
    call.gate && h('li', null, link('denials', {gate: call.gate, tool: call.target}, `Denials of ${call.gate}`,
      call.target && [' for ', code(call.target, {max: 24})])),
    call.fault && !call.gate && h('li', null,
      link('calls', {fault: call.fault}, 'Calls that ended with ', code(call.fault, {max: 32}))));
}
