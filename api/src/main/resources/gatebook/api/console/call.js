// One call, from question to answer: who asked what, which gate said what by which rule, what came
// back, what was told, and the proof.

import {decideAgain} from './again.js';
import {h, replace} from './dom.js';
import {loadProof, recordSection, showProof} from './evidence.js';
import {
  bytes, code, counted, cut, duration, errorCode, plain, reveal, shortText, statusBadge, time,
} from './format.js';
import {refreshOn} from './refresh.js';
import {link, navigate} from './router.js';
import {call as ask, hasRole} from './rpc.js';
import {GATE_NAMES, basis, questionOf, stateOf, took, verdict} from './rulings.js';
import {localName, timeline} from './timeline.js';
import {announce, busy, copyButton, facts, jsonBlock, page, table, tabs, textBlock} from './ui.js';

export const title = 'Call';

const EVENTS_SHOWN = 100;
const ATTEMPTS_SHOWN = 10;
const REMEMBERED_MILLIS = 5_000;
const TOLD_CHARS_MAX = 400;
const OPEN = ['held', 'forwarded'];
const ENDED_BY = ['CallAnswered', 'ErrorTranslated', 'MessageRefused', 'CallAbandoned', 'CallOrphaned'];
const CALL_EVENTS = ['CallAdmitted', 'GateDenied', 'ApprovalRequested', 'ApprovalGranted', 'ApprovalRejected',
  'ApprovalTimedOut', 'CallForwarded', 'SourceAsked', 'CallerReplied', 'TaskCreated', ...ENDED_BY];
const DIALECT_NAMES = {mcp: 'MCP', daemon: 'daemon', flow: 'task flow', a2a: 'A2A'};

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

function entry(name, content) {
  return content && h('section', {class: 'entry'}, h('h2', null, name), h('div', {class: 'entry-body'}, content));
}

function events(call, ...names) {
  return call.events.filter(event => names.includes(localName(event.name)));
}

function last(call, ...names) {
  return events(call, ...names).at(-1)?.data ?? null;
}

// ---------------------------------------------------------------- the heading

function heading(call) {
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

/** A notification has no id, and nothing is sent back. */
function isNotification(call) {
  const received = last(call, 'CallReceived');
  return received !== null && !received.rpcId;
}

function waitsForPerson(call) {
  return events(call, 'ApprovalRequested').length > events(call, 'ApprovalGranted', 'ApprovalRejected',
    'ApprovalTimedOut').length;
}

function lead(call) {
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

// ---------------------------------------------------------------- time

function timeSection(call) {
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

// ---------------------------------------------------------------- asked

function askedSection(call) {
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
  const attributes = Object.entries(principal.attributes ?? {});
  return [
    facts([
      ['who', [code(principal.name), principal.roles?.length > 0
        && [' with the roles ', principal.roles.map((role, i) => [i > 0 && ', ', code(role)])]]],
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

/** Content as far as it was kept: whole, its beginning, or its digest. */
function kept(content, label) {
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

// ---------------------------------------------------------------- decided

/** The rulings that decided: those of the last event that has any. */
function finalRulings(call) {
  return events(call, 'CallAdmitted', 'GateDenied', 'ApprovalRequested').at(-1)?.data.rulings ?? [];
}

function decidedSection(call, view) {
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
  ];
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

async function loadExcerpt(call, view) {
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

function showExcerpt(call, view) {
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
    replace(view.excerptNote, ', in force since ', time(excerpt.activatedAt), '. ', link('rules', {}, 'All rules'));
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

// ---------------------------------------------------------------- forwarded

function forwardedSection(call) {
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
      const rows = attempts.slice(shown, shown + EVENTS_SHOWN);
      shown += rows.length;
      return {rows, more: shown < attempts.length};
    },
  });
}

function questions(call) {
  const asked = events(call, 'SourceAsked');
  return asked.length > 0 && h('div', {class: 'content'},
    h('h3', null, 'Questions of the source to the caller'),
    h('ul', null, asked.slice(0, EVENTS_SHOWN).map(({data}) => {
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

function faultOf(failed, label) {
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

// ---------------------------------------------------------------- told

function toldSection(call) {
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

// ---------------------------------------------------------------- ids and ways on

function idList(call) {
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

function related(call, found) {
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

// ---------------------------------------------------------------- calls that have not ended

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
