// The first page: the counts of the last day, the approvals that wait, and the newest calls.

import {link} from './address.js';
import {callTable, firstCall} from './calls.js';
import {clear, h, replace} from './dom.js';
import {ago, code, count, counted, time} from './format.js';
import {refreshOn} from './refresh.js';
import {call as ask, hasRole} from './rpc.js';
import {empty, page, problem} from './ui.js';

export const title = 'Home';

const NEWEST = 12;
const WAITING_SHOWN = 5;
const WAITING_MAX = 1_000;
const GROUPS_MAX = 1_000;
const REFRESH_MILLIS = 5_000;
const NUMBERS_MILLIS = 30_000;
const EVENTS = ['CallReceived', 'GateDenied', 'ErrorTranslated', 'CallAnswered', 'ApprovalRequested',
  'ApprovalGranted', 'ApprovalRejected', 'ApprovalTimedOut'];

export async function show(main, {signal}) {
  const places = {numbers: h('div'), waiting: h('div'), calls: h('div')};
  replace(main, page('At the gates',
    places.numbers,
    places.waiting,
    h('section', {class: 'section'}, h('div', {class: 'section-head'}, h('h2', null, 'Newest calls'),
      link('calls', {}, 'All calls')), places.calls)));
  if (!hasRole('view')) {
    replace(places.calls, empty('Your operator may not see calls.', 'It needs the role view in the rules.'));
    replace(places.numbers, hasRole('approve') && h('p', null, link('approvals', {}, 'What waits for an approval')));
    return;
  }
  const numbers = () => showNumbers(places, signal);
  const newest = () => showNewest(places.calls, signal);
  await Promise.all([newest(), numbers()]);
  followHome(newest, numbers, signal);
}

async function showNewest(place, signal) {
  await guarded(place, signal, async () => {
    const {calls, upToDate} = await ask('audit.calls', {limit: NEWEST}, {signal});
    replace(place,
      !upToDate && h('p', {class: 'note'}, 'The view of calls is behind the journal. ',
        link('node', {}, 'How far it is')),
      calls.length > 0 ? callTable(calls, 'Newest calls', {})
        : empty('No call has come yet.', h('p', null, 'Make one, and it is here at once:'), firstCall()));
  });
}

async function showNumbers(places, signal) {
  const since = new Date(Date.now() - 24 * 3_600_000).toISOString();
  await guarded(places.numbers, signal, async () => {
    const [denials, errors, approvals, node] = await Promise.all([
      ask('audit.denials', {by: ['gate'], since}, {signal}),
      ask('audit.errors', {since, limit: GROUPS_MAX}, {signal}),
      ask('approvals.list', {limit: WAITING_MAX}, {signal}),
      ask('node.status', {}, {signal}).catch(error => {
        if (error.name === 'AbortError') {
          throw error;
        }
        return null; // the page is useful without it
      }),
    ]);
    replace(places.numbers, numbers(denials, errors, approvals, node));
    replace(places.waiting, waiting(approvals));
  });
}

function numbers(denials, errors, {approvals, more}, node) {
  const failed = errors.groups.reduce((sum, group) => sum + group.count, 0);
  const growing = errors.groups.filter(group => group.trend === 'new' || group.trend === 'rising').length;
  return h('dl', {class: 'stats home-stats'},
    stat('denied in 24 hours', link('denials', {since: '24h'}, count(denials.total)),
      denials.total > 0 && byGate(denials.groups.filter(group => group.count > 0))),
    stat('errors in 24 hours', link('errors', {since: '24h'}, count(failed) + (errors.more ? '+' : '')),
      errors.groups.length > 0
        && `${counted(errors.groups.length, 'kind')}${growing > 0 ? `, ${growing} new or rising` : ''}`),
    stat('waiting for a person', link('approvals', {}, count(approvals.length) + (more ? '+' : '')),
      approvals.length > 0 && `the oldest since ${ago(approvals[0].requestedAt).replace(' ago', '')}`),
    node?.journal && stat('events recorded', link('node', {}, count(node.journal.position)),
      checkpointOf(node.journal)));
}

function checkpointOf({position, lastCheckpoint}) {
  if (!lastCheckpoint) {
    return 'no checkpoint yet';
  }
  return lastCheckpoint.position >= position
    ? 'all signed'
    : `signed up to ${count(lastCheckpoint.position)}`;
}

function stat(label, value, note) {
  return h('div', null, h('dt', null, label), h('dd', null, value), h('dd', {class: 'stat-note'}, note || '\u00a0'));
}

function byGate(groups) {
  return groups.map((group, i) => [i > 0 && ', ', link('denials', {since: '24h', gate: group.gate}, {class: 'narrow'},
    `${count(group.count)} by ${group.gate}`)]);
}

function waiting({approvals, more}) {
  if (approvals.length === 0) {
    return null;
  }
  return h('section', {class: 'section'},
    h('div', {class: 'section-head'}, h('h2', null, 'Waiting for a person'),
      link('approvals', {}, approvals.length > WAITING_SHOWN || more
        ? `All ${count(approvals.length)}${more ? '+' : ''}` : 'Decide')),
    h('ul', {class: 'waiting-list'}, approvals.slice(0,
      WAITING_SHOWN).map(approval => h('li', {'data-row': approval.callId},
      h('span', null, link(['call', approval.callId], {}, {'data-key': `waiting-${approval.callId}`},
        code(approval.tool, {max: 60})), ' for ', code(approval.principal, {max: 40}), ' ',
          h('span', {class: 'muted'}, code(approval.correlationId, {max: 40}))),
      h('span', {class: 'muted'}, 'asked ', ago(approval.requestedAt)),
      h('span', {class: 'wait'}, 'due ', h('span', {title: approval.deadline}, ago(approval.deadline)), ' ',
        h('span', {class: 'muted'}, time(approval.deadline, 'time')))))));
}

/** Shows a problem in the place of what could not be loaded, and leaves the rest of the page. */
async function guarded(place, signal, load) {
  try {
    await load();
  } catch (error) {
    if (error.name === 'AbortError' || signal.aborted || error.code === 401) {
      return;
    }
    replace(clear(place), problem(error));
  }
}

/** Loads the newest calls anew when calls come, and the numbers less often. */
function followHome(newest, numbers, signal) {
  let numbersAt = performance.now();
  refreshOn({
    names: EVENTS,
    concerns: events => {
      if (events.some(event => event.name.startsWith('Approval'))) {
        numbersAt = -NUMBERS_MILLIS; // what waits is shown at once
      }
      return true;
    },
    everyMillis: REFRESH_MILLIS,
    signal,
    refresh: async () => {
      await newest();
      if (performance.now() - numbersAt >= NUMBERS_MILLIS) {
        numbersAt = performance.now();
        await numbers();
      }
    },
  });
}
