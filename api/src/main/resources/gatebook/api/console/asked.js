// The request of a call: its caller, target and arguments.

import {kept, last} from './call-events.js';
import {h} from './dom.js';
import {bytes, code} from './format.js';
import {hasRole} from './rpc.js';
import {facts} from './ui.js';

export function askedSection(call) {
  const asked = last(call, 'CallReceived');
  if (!asked) {
    const refused = last(call, 'MessageRefused');
    return refused && [
      facts([
        ['size', bytes(refused.sizeBytes)],
        ['caller', refused.principal && code(refused.principal)],
        ['JSON-RPC id', refused.rpcId && code(refused.rpcId, {max: 200})],
      ]),
      h('p', {class: 'muted'}, 'The body of a refused message is not kept.'),
    ];
  }
  const {principal = {}} = asked;
  const attributes = typeof principal.attributes === 'string'
    ? [] : Object.entries(principal.attributes ?? {}); // a text says that they cannot be read
  return [
    facts([
      ['who', [code(principal.name), principal.roles?.length > 0
        && [' with the roles ', principal.roles.map((role, i) => [i > 0 && ', ', code(role)])]]],
      typeof principal.attributes === 'string' && ['attributes', code(principal.attributes)],
      attributes.length > 0 && ['attributes',
        attributes.map(([name, value]) => h('div', null, code(name), ' ', code(value)))],
      ['method', code(asked.method)],
      asked.target && asked.target !== asked.method && ['target', code(asked.target)],
      asked.source && ['source', code(asked.source)],
      asked.agent && ['agent', code(asked.agent)],
      ['JSON-RPC id', asked.rpcId ? code(asked.rpcId, {max: 200}) : 'none: a notification, which is not answered'],
    ]),
    argumentsOf(asked),
  ];
}

function argumentsOf(asked) {
  if (!hasRole('arguments')) {
    return h('p', {class: 'note'}, 'Arguments are shown to operators with the role ', h('code', null, 'arguments'),
      '.');
  }
  if (!asked.arguments) {
    return h('p', {class: 'muted'}, 'It had no arguments.');
  }
  return h('div', {class: 'content'},
    h('h3', null, 'Arguments', h('span', {class: 'muted'}, ` ${bytes(asked.arguments.sizeBytes)}`)),
    kept(asked.arguments, 'Arguments'));
}

