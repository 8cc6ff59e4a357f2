// The response that the caller got, byte for byte where the record has it exactly.

import {link} from './address.js';
import {events, isNotification, last} from './call-events.js';
import {h} from './dom.js';
import {code, cut, errorCode, plain, reveal, shortText} from './format.js';
import {faultOf} from './forwarded.js';
import {jsonBlock, tabs, textBlock} from './ui.js';

const TOLD_CHARS_MAX = 400;

export function toldSection(call) {
  const end = last(call, 'ErrorTranslated') ?? last(call, 'MessageRefused');
  if (end?.told) {
    return toldError(call, end);
  }
  const abandoned = last(call, 'CallAbandoned');
  if (abandoned) {
    const why = {disconnected: 'the caller had closed its connection', cancelled: 'the caller had cancelled the call',
      restarted: 'the node restarted, which closed its connection'};
    return [h('p', null, `Nothing: ${why[abandoned.cause] ?? plain(abandoned.cause)}.`), effect(abandoned)];
  }
  const orphaned = last(call, 'CallOrphaned');
  if (orphaned) {
    return [h('p', null, 'Nothing: the node ', code(orphaned.deadNode), ' died, and another closed the call.'),
      effect(orphaned)];
  }
  const answered = last(call, 'CallAnswered');
  if (answered) {
    return h('p', null, answered.outcome === 'tool-error'
      ? 'The caller got the tool’s report of its error, unchanged.'
      : last(call, 'CallForwarded') ? 'The caller got the result, unchanged.' : 'The caller got the result.');
  }
  const task = last(call, 'TaskCreated');
  return h('p', {class: 'muted'},
    task ? 'That the call goes on, and by which id to ask for its outcome.' : 'Nothing yet.');
}

function effect({forwarded}) {
  return h('p', {class: forwarded ? 'warn' : 'muted'}, forwarded
    ? 'It had been forwarded, so it may have had its effect.'
    : 'It had not been forwarded, so it had no effect.');
}

function toldError(call, end) {
  const {told} = end;
  const isForwarded = events(call, 'CallForwarded').length > 0;
  const isSilent = isNotification(call);
  return [
    h('p', {class: 'told'}, errorCode(told.code), ' ',
      h('bdi', null, reveal(cut(told.message, TOLD_CHARS_MAX)).map(part => part.hidden
        ? h('span', {class: 'hidden-char'}, part.text) : part.text))),
    isSilent && h('p', {class: 'muted'}, 'It was a notification, so this was recorded and not sent.'),
    end.firstToldTo && h('p', null, 'The same error was first told to ',
      link(['call', end.firstToldTo], {}, code(shortText(end.firstToldTo))), '.'),
    typeof call.told === 'string'
      ? tabs('What the caller was told', [
        {label: 'As it was sent', content: () => textBlock(call.told, 'What the caller was told, byte for byte')},
        {label: 'Readable', content: () => jsonBlock(parts(told), 'What the caller was told, readable')},
      ])
      : [jsonBlock(parts(told), 'The parts of what the caller was told'),
        !isSilent && h('p', {class: 'muted'},
          'These are its parts: the exact bytes cannot be rebuilt from the record.')],
    told.httpStatus && !isSilent && h('p', {class: 'muted'}, `HTTP status ${told.httpStatus}`),
    !isForwarded && faultOf(end, 'Because'),
  ];
}

function parts(told) {
  return {code: told.code, message: told.message, ...(told.data === undefined || told.data === null ? {}
    : {data: told.data})};
}
