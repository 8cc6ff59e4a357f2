// Calls: those that have an id, or those that match filters.

import {address, link, navigate} from './address.js';
import {remember} from './call.js';
import {h, replace} from './dom.js';
import {DIALECTS, FILTERS, GATES, STATUSES, fromQuery, parse, toParams} from './filter.js';
import {code, counted, cut, duration, errorCode, plain, shortId, statusBadge, time} from './format.js';
import {call as ask} from './rpc.js';
import {busy, droppedNote, empty, page, periodPicker, table, textBlock} from './ui.js';

export const title = 'Calls';

const PAGE = 50;

export async function show(main, {query, signal}) {
  const {id, filters: typed, unknown} = parse(query.q ?? '');
  if (id) {
    await showFound(main, id, query, signal);
  } else {
    await showList(main, {...typed, ...fromQuery(query)}, unknown, signal);
  }
}

// ---------------------------------------------------------------- an id

async function showFound(main, id, query, signal) {
  const found = await busy(ask('audit.lookup', query.asOf ? {id, asOf: query.asOf} : {id}, {signal, exact: true}));
  const trees = found.trees ?? [];
  const asOf = query.asOf ? {asOf: query.asOf} : {};
  if (found.calls.length === 1 && !query.all && (trees.length === 0 || found.calls[0].callId === id)) {
    remember(found.calls[0].callId, found);
    await navigate(['call', found.calls[0].callId], asOf, {replace: true});
  } else if (found.calls.length === 0 && trees.length === 1) {
    await navigate(['tree', trees[0].treeId], {}, {replace: true});
  } else if (found.calls.length === 0 && trees.length === 0) {
    replace(main,
      page([found.notFound?.reason === 'came-later' ? 'Nothing had the id ' : 'Nothing has the id ',
        code(id, {max: 64}), found.notFound?.reason === 'came-later' && ' then'],
          notFound(id, found, query)));
  } else {
    replace(main, severalFound(id, found, trees));
  }
}

function severalFound(id, {calls, more, moreTrees}, trees) {
  const parts = [
    calls.length > 0 && (more ? `More than ${counted(calls.length, 'call')}` : counted(calls.length, 'call')),
    trees.length > 0 && counted(trees.length, 'tree of tasks', 'trees of tasks'),
  ].filter(Boolean);
  const verb = calls.length + trees.length === 1 ? 'has' : 'have';
  return page([`${parts.join(' and ')} ${verb} the id `, code(id, {max: 64})],
    calls.length > 0 && callTable(calls, `Calls with the id ${plain(cut(id, 64))}`, {}),
    more && h('p', {class: 'muted'}, 'These are the newest; older calls have it too. Narrow them down: ',
      link('calls', {since: '24h'}, 'calls of the last 24 hours'), '.'),
    trees.length > 0 && h('section', {class: 'section'}, h('h2', null, 'Trees of tasks'),
      h('ul', {class: 'ways'}, trees.map(tree => h('li', null,
        link(['tree', tree.treeId], {}, code(tree.name ?? tree.treeId, {max: 80})), ' ', statusBadge(tree.status),
        h('span', {class: 'muted'}, ` ${counted(tree.taskCount, 'task')}, `, time(tree.createdAt))))),
      moreTrees && h('p', {class: 'muted'}, 'Older trees have it too.')));
}

function notFound(id, {notFound: {reason, message} = {reason: 'never-seen', message: ''}, droppedThrough}, query) {
  const again = h('button', {type: 'button', class: 'primary', onclick: () => navigate('calls', query)}, 'Try again');
  switch (reason) {
    case 'not-projected-yet': return empty('The view of calls has not read that far yet.',
      [`It will in a moment: ${plain(message)}.`],
      h('p', null, again, ' ', link('node', {}, 'How far the views are')));
    case 'came-later': return empty(['What has this id came later than ', time(query.asOf), '.'],
      h('p', null, link('calls', {q: id}, 'Show it as it is now')));
    case 'dropped': return empty(`Nothing that is kept has this id: ${plain(message)}.`, droppedNote({droppedThrough}));
    default: return [
      empty(`It was never seen here: ${plain(message || 'nothing has this id')}.`,
        'Ids are compared exactly: see whether a character is missing, and whether the call went to this gateway.',
        h('p', null, 'It may be no id. Look for it as a ',
          ['tool', 'principal', 'fault', 'method'].map((name, i) => [i === 0 ? '' : i === 3 ? ' or ' : ', ',
            link('calls', {[name]: id}, name)]), '.')),
      h('h2', null, 'What leaves no call'),
      h('ul', {class: 'plain-list'},
        h('li', null, 'A request that HTTP refused, as one for a foreign host: only the node’s log has it, by its ',
          h('code', null, 'correlation_id'), '.'),
        h('li', null, 'A call that was told ', h('code', null, '-32013'), ': the journal could not write then. ',
          link('node', {}, 'The node’s page'), ' says so.')),
    ];
  }
}

// ---------------------------------------------------------------- filters

async function showList(main, filters, unknown, signal) {
  const params = {...toParams(filters), limit: PAGE};
  const first = await busy(ask('audit.calls', params, {signal}));
  let {cursor} = first;
  const query = Object.fromEntries(FILTERS.filter(name => filters[name]).map(name => [name, filters[name]]));
  const onMore = async () => {
    const next = await ask('audit.calls', {...params, cursor}, {signal});
    ({cursor} = next);
    return {rows: next.calls, more: Boolean(cursor)};
  };
  replace(main, page('Calls',
    toolbar(query),
    unknown.length > 0 && h('p', {class: 'note'}, 'Not understood: ',
      unknown.slice(0, 20).map(word => [code(word, {max: 60}), ' ']),
      '– filters are words as ', h('code', null, 'status:denied'), ', ', h('code', null, 'tool:"a name"'), ' or ',
        h('code', null, 'since:2h'), '; an id stands alone.'),
    !first.upToDate && h('p', {class: 'note'},
      'The view of calls is behind the journal: the newest calls are not here yet. ',
        link('node', {}, 'How far it is')),
    droppedNote(first),
    first.calls.length > 0
      ? callTable(first.calls, 'Calls, newest first', query, {onMore, more: Boolean(cursor)})
      : nothing(query)));
}

function nothing(query) {
  const isFiltered = Object.keys(query).length > 0;
  return isFiltered
    ? empty('No call matches all of these filters.',
      h('p', null, 'Take one away above, or ', link('calls', {}, 'show all calls'), '.'),
      query.since && h('p', null, link('calls', {...query, since: undefined, until: undefined}, 'Look at all time')))
    : empty('No call has come yet.',
      h('p', null, 'Make one, and it is here at once:'), firstCall());
}

/** A sample call to paste, for a node without calls. */
export function firstCall() {
  return textBlock(`curl -s http://${location.hostname}:7467/mcp -H 'Content-Type: application/json' \\\n`
    + '  -d \'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"hello":"world"}}}\'', 'A first call');
}

function toolbar(query) {
  const go = change => navigate('calls', {...query, ...change});
  const text = FILTERS.filter(name => ['tool', 'principal', 'code', 'fault', 'method'].includes(name) && query[name]);
  return h('div', {class: 'toolbar', role: 'group', 'aria-label': 'Filters'},
    choice('status', 'any status', STATUSES, query, go),
    choice('gate', 'any gate', GATES, query, go),
    choice('dialect', 'any dialect', DIALECTS, query, go),
    periodPicker({since: query.since ?? '', until: query.until ?? ''}, go),
    text.length > 0 && h('ul', {class: 'chips', 'aria-label': 'More filters'},
      text.map(name => h('li', {class: 'chip'},
      h('span', {class: 'name'}, name), code(query[name], {max: 40}),
      h('button', {type: 'button', 'data-key': `without-${name}`,
        'aria-label': `Without ${name} ${plain(cut(query[name], 40))}`, onclick: () => go({[name]: undefined})},
          '×')))),
    Object.keys(query).length > 0 && h('a', {href: address('calls'), class: 'clear-filters'}, 'Clear'));
}

function choice(name, all, values, query, go) {
  const select = h('select', {'aria-label': name, 'data-key': `filter-${name}`,
    onchange: () => go({[name]: select.value})},
    h('option', {value: ''}, all),
    values.map(value => h('option', {value, selected: query[name] === value}, value)));
  return h('span', {class: query[name] ? 'choice is-chosen' : 'choice'}, select);
}

// ---------------------------------------------------------------- the table

/**
 * A table of calls.
 *
 * @param query the filters in force: a click on a value adds one; absent where values are no links
 */
export function callTable(calls, caption, query, options = {}) {
  const narrow = (name, value, shown) => query
    ? link('calls', {...query, [name]: value}, {class: 'narrow',
      title: `only ${name} ${plain(cut(String(value), 200))}`}, shown)
    : shown;
  return table([
    {label: 'received', isHeader: true, cell: call => link(['call', call.callId], {},
      {'data-key': `call-${call.callId}`}, call.receivedAt ? time(call.receivedAt) : code(call.callId.slice(0, 8)))},
    {label: 'status', class: 'nowrap', cell: call => [statusBadge(call.status), call.gate
      && h('span', {class: 'muted'}, ` by ${call.gate}`)]},
    {label: 'tool', class: 'clip-cell', cell: call => call.target ? narrow('tool', call.target,
      code(call.target, {max: 80})) : h('span', {class: 'muted'}, code(call.method, {max: 60}))},
    {label: 'principal', class: 'clip-cell', cell: call => call.principal ? narrow('principal', call.principal,
      code(call.principal, {max: 40})) : code(null)},
    {label: 'code', numeric: true, cell: call => call.code === null ? errorCode(null)
      : narrow('code', call.code, errorCode(call.code))},
    {label: 'fault', class: 'clip-cell', cell: call => call.fault ? narrow('fault', call.fault,
      plain(cut(call.fault, 60))) : h('span', {class: 'none'}, '–')},
    {label: 'dialect', cell: call => call.dialect ?? h('span', {class: 'none'}, '–')},
    {label: 'took', numeric: true, cell: call => call.durationMillis === null ? h('span', {class: 'none'}, '–')
      : duration(call.durationMillis)},
    {label: 'correlation', class: 'clip-cell',
      cell: call => call.correlationId ? shortId(call.correlationId) : code(null)},
  ], calls, {caption, rowKey: call => call.callId, ...options});
}
