// The part of the source: the attempts, its questions, and its answer.

import {OPEN, events, kept, last} from './call-events.js';
import {h} from './dom.js';
import {bytes, code, counted, cut, duration, plain, time} from './format.js';
import {hasRole} from './rpc.js';
import {facts, jsonBlock, table} from './ui.js';

const QUESTIONS_SHOWN = 100;
const ATTEMPTS_SHOWN = 10;
const MORE_ATTEMPTS = 100;

export function forwardedSection(call) {
  const attempts = events(call, 'CallForwarded');
  const answered = last(call, 'CallAnswered');
  const failed = last(call, 'ErrorTranslated');
  if (attempts.length === 0) {
    return h('p', {class: 'muted'}, answered
      ? 'It went to no source: the gateway answered itself.'
      : OPEN.includes(call.status) ? 'It went to no source yet.' : 'It went to no source.');
  }
  return [
    attempts.length === 1 ? oneAttempt(attempts[0]) : attemptTable(attempts),
    questions(call),
    answered && cameBack(answered),
    failed && attempts.length > 0 && faultOf(failed, 'It ended with'),
  ];
}

function oneAttempt({data, at}) {
  return facts([
    ['to', [code(data.source), ' ', h('span', {class: 'muted'}, code(data.endpoint))]],
    ['at', time(at, 'millis')],
    ['timeout', duration(data.timeoutMillis)],
    data.afterFailure && ['after', code(data.afterFailure)],
  ]);
}

function attemptTable(attempts) {
  let shown = ATTEMPTS_SHOWN;
  return table([
    {label: 'attempt', isHeader: true, cell: ({data}) => String(data.attempt)},
    {label: 'at', cell: ({at}) => time(at, 'millis')},
    {label: 'to', class: 'clip-cell', cell: ({data}) => [code(data.source, {max: 60}), ' ',
      h('span', {class: 'muted'}, code(data.endpoint, {max: 120}))]},
    {label: 'timeout', numeric: true, cell: ({data}) => duration(data.timeoutMillis)},
    {label: 'after', class: 'wrap-cell', cell: ({data}) => code(data.afterFailure, {max: 200})},
  ], attempts.slice(0, shown), {
    caption: 'Attempts at the source',
    more: shown < attempts.length,
    onMore: async () => {
      const rows = attempts.slice(shown, shown + MORE_ATTEMPTS);
      shown += rows.length;
      return {rows, more: shown < attempts.length};
    },
  });
}

function questions(call) {
  const asked = events(call, 'SourceAsked');
  return asked.length > 0 && h('div', {class: 'content'},
    h('h3', null, 'Questions of the source to the caller'),
    h('ul', null, asked.slice(0, QUESTIONS_SHOWN).map(({data}) => {
      const reply = events(call, 'CallerReplied').find(it => it.data.question === data.question);
      return h('li', null, code(data.method),
        reply ? ` – the caller replied with ${reply.data.outcome === 'error' ? 'an error' : 'a result'}`
          : ' – without a reply');
    })));
}

function cameBack(answered) {
  return h('div', {class: 'content'},
    h('h3', null, answered.outcome === 'tool-error' ? 'The tool reported an error' : 'A result came back',
      h('span', {class: 'muted'}, ` ${bytes(answered.result?.sizeBytes)}`,
        answered.upstreamMillis !== undefined && answered.upstreamMillis !== null
          ? ` after ${duration(answered.upstreamMillis)}` : '')),
    answered.missingSources?.length > 0 && h('p', {class: 'warn'},
      'Without these sources, which could not be asked: ',
        answered.missingSources.map((it, i) => [i > 0 && ', ', code(it)])),
    answered.stream && h('p', {class: 'muted'}, `The last of ${counted(answered.stream.items, 'item')} of a stream`,
      answered.stream.state && [', in the state ', code(answered.stream.state)]),
    answered.result && kept(answered.result, 'Result'),
    answered.result && answered.result.redacted === undefined && answered.result.beginning === undefined
      && h('p', {class: 'muted'}, hasRole('arguments')
        ? 'Results are kept as a digest only: see record.results in the rules.'
        : 'What is kept of a result is shown to operators with the role arguments.'));
}

/** The fault that ended a call, with its details. */
export function faultOf(failed, label) {
  const {kind, ...members} = failed.fault ?? {};
  return kind && h('div', {class: 'content'},
    h('h3', null, label, ' ', h('span', {class: 'warn'}, code(kind))),
    facts(Object.entries(members).map(([name, value]) => [spaced(name), memberValue(value)])));
}

/** `timeoutMillis` as `timeout millis`. */
function spaced(name) {
  return plain(cut(name, 60)).replace(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ').toLowerCase();
}

function memberValue(value) {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) {
    return null;
  }
  if (Array.isArray(value) && value.every(it => typeof it === 'string')) {
    return value.map((it, i) => [i > 0 && ', ', code(it)]);
  }
  return typeof value === 'object' && !(value instanceof Number)
    ? jsonBlock(value, 'Details')
    : code(String(value));
}
